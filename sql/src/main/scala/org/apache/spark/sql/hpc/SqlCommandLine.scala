package org.apache.spark.sql.hpc

import java.nio.charset.StandardCharsets.UTF_8

import scala.annotation.tailrec
import scala.io.{Source, StdIn}
import scala.util.control.NonFatal

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.spark.SparkThrowable
import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.{HiveResult, SQLExecution}

/** Spark SQL from a command line, where Hive's command line isn't among the jars.
  *
  *   1. Rows go to the standard output as Spark's own spark-sql prints them: columns divided by
  *      tabs. All else goes to the standard error.
  *   1. The first statement that fails ends a run of -e, -f or a pipe with exit code 1; at a
  *      terminal the next one is read.
  */
object SqlCommandLine extends Logging {

  def main(args: Array[String]): Unit = {
    // At a prompt only warnings, as in spark-shell, unless the user's log4j2.properties differ.
    initializeLogIfNecessary(true)
    val code = SqlOptions.parse(args) match {
      case Left(problem) =>
        Console.err.println(s"spark-sql: $problem")
        1
      case Right(options) => run(options)
    }
    sys.exit(code)
  }

  private def run(options: SqlOptions): Int = {
    val session = SparkSession.builder().getOrCreate()
    try {
      options.variables.foreach { case (name, value) => session.conf.set(name, value) }
      val shell = new SqlCommandLine(session, options.silent)
      val prepared = shell.attempt {
        options.database.foreach(session.catalog.setCurrentDatabase)
        options.init.forall(file => shell.runAll(shell.read(file)))
      }
      val done = prepared && ((options.statements, options.file) match {
        case (Some(statements), _) => shell.runAll(statements)
        case (_, Some(file)) => shell.attempt(shell.runAll(shell.read(file)))
        case _ if System.console() != null => shell.converse()
        case _ => shell.runAll(Source.stdin.mkString)
      })
      if (done) 0 else 1
    } finally session.stop()
  }
}

private class SqlCommandLine(session: SparkSession, silent: Boolean) {

  /** False when it failed, which has been said then. */
  def attempt(body: => Boolean): Boolean =
    try body
    catch {
      case e: SparkThrowable => complain(e.getMessage)
      case NonFatal(e) => complain(e.toString)
    }

  /** A file's text; a path without a scheme is a local one, whatever Hadoop's default is. */
  def read(file: String): String = {
    val path = new Path(file)
    val conf = session.sparkContext.hadoopConfiguration
    val files =
      if (path.toUri.getScheme == null) FileSystem.getLocal(conf) else path.getFileSystem(conf)
    val in = files.open(path)
    try Source.fromInputStream(in, UTF_8.name).mkString
    finally in.close()
  }

  /** False as soon as a statement fails. */
  def runAll(text: String): Boolean = SqlStatements(text).all.forall(runOne)

  /** Reads from the terminal until `quit;`, `exit;` or the end of the input. */
  def converse(): Boolean = {
    @tailrec
    def readOn(before: String): Unit =
      Option(StdIn.readLine(prompt(before))) match {
        case None => Console.err.println()
        case Some(line) =>
          val statements = SqlStatements(before + line + "\n")
          val (now, later) = statements.complete.span(s => !isFarewell(s))
          now.foreach(runOne)
          if (later.isEmpty) readOn(statements.rest)
      }
    readOn("")
    true
  }

  private def prompt(before: String): String =
    if (SqlStatements.isBlank(before)) "spark-sql> " else "         > "

  private def isFarewell(statement: String): Boolean =
    Set("quit", "exit")(statement.trim.toLowerCase)

  private def runOne(statement: String): Boolean = attempt {
    val start = System.nanoTime()
    session.sparkContext.setJobDescription(statement.trim)
    val execution = session.sql(statement).queryExecution
    val rows = SQLExecution.withNewExecutionId(execution, Some("cli")) {
      HiveResult.hiveResultString(execution.executedPlan)
    }
    rows.foreach(println)
    if (!silent) {
      val seconds = (System.nanoTime() - start) / 1e9
      Console.err.println(f"Time taken: $seconds%.3f seconds, fetched ${rows.size} row(s)")
    }
    true
  }

  private def complain(message: String): Boolean = {
    Console.err.println(s"Error: $message")
    false
  }
}
