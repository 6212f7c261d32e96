package org.apache.spark.sql.hpc

import scala.annotation.tailrec

/** What the command line of spark-sql asks for: the options of Hive's that need no Hive.
  *
  * @param init a file of statements that run first (-i)
  * @param statements what to run instead of reading the standard input (-e)
  * @param file a file of what to run (-f)
  * @param database the database to start in (--database)
  * @param variables what `${name}` stands for (-d)
  * @param silent no line with the time of each statement (-S)
  */
final case class SqlOptions(
    init: Option[String] = None,
    statements: Option[String] = None,
    file: Option[String] = None,
    database: Option[String] = None,
    variables: Seq[(String, String)] = Nil,
    silent: Boolean = false
) {

  private def having(option: String, value: String): Either[String, SqlOptions] = option match {
    case "-i" => Right(copy(init = Some(value)))
    case "-e" => Right(copy(statements = Some(value)))
    case "-f" => Right(copy(file = Some(value)))
    case "--database" => Right(copy(database = Some(value)))
    case "-d" | "--define" | "--hivevar" =>
      value.split("=", 2) match {
        case Array(name, meaning) if name.nonEmpty =>
          Right(copy(variables = variables :+ (name -> meaning)))
        case _ => Left(s"not NAME=VALUE: $value")
      }
    case _ => Left(s"not understood: $option")
  }
}

object SqlOptions {

  /** The options, or what is wrong with them. */
  def parse(args: Seq[String]): Either[String, SqlOptions] = parse(args.toList, SqlOptions())

  @tailrec
  private def parse(args: List[String], soFar: SqlOptions): Either[String, SqlOptions] =
    args match {
      case Nil if soFar.statements.isDefined && soFar.file.isDefined =>
        Left("-e and -f exclude each other")
      case Nil => Right(soFar)
      case ("-S" | "--silent") :: rest => parse(rest, soFar.copy(silent = true))
      case option :: value :: rest =>
        soFar.having(option, value) match {
          case Right(more) => parse(rest, more)
          case problem => problem
        }
      case other :: Nil => Left(s"not understood, or without its value: $other")
    }
}
