package org.apache.spark.examples.hpc

import scopt.{OParser, OParserBuilder}

/** The kinds of options that programs share; a value out of range is refused by option and value. */
trait Syntax[C] {
  protected val builder: OParserBuilder[C] = OParser.builder[C]
  import builder._

  protected def count(name: String, least: Int, most: Int = Int.MaxValue): OParser[Int, C] =
    opt[Int](name).valueName("N").validate(n => within(name, n.toLong, least.toLong, most.toLong))

  protected def amount(name: String, least: Long, most: Long = Long.MaxValue): OParser[Long, C] =
    opt[Long](name).valueName("N").validate(within(name, _, least, most))

  protected def seed: OParser[Long, C] = opt[Long]("seed").valueName("N").text("default 1")

  protected def path(name: String): OParser[String, C] =
    opt[String](name).valueName("PATH").validate { text =>
      if (text.trim.nonEmpty) success else failure(s"--$name: is empty; give a path")
    }

  protected def oneOf(name: String, values: Seq[String]): OParser[String, C] =
    opt[String](name).valueName(values.mkString("|")).validate { text =>
      if (values.contains(text)) success
      else failure(s"--$name $text: must be one of ${values.mkString(", ")}")
    }

  protected def storageLevel: OParser[String, C] =
    oneOf("storage-level", Syntax.levels).valueName("LEVEL")

  private def within(name: String, n: Long, least: Long, most: Long): Either[String, Unit] = {
    val unbounded = most == Int.MaxValue || most == Long.MaxValue
    if (n >= least && n <= most) success
    else if (unbounded) failure(s"--$name $n: must be $least or more")
    else failure(s"--$name $n: must be from $least to $most")
  }
}

object Syntax {

  private val levels = Seq(
    "MEMORY_ONLY",
    "MEMORY_ONLY_2",
    "MEMORY_ONLY_SER",
    "MEMORY_ONLY_SER_2",
    "MEMORY_AND_DISK",
    "MEMORY_AND_DISK_2",
    "MEMORY_AND_DISK_SER",
    "MEMORY_AND_DISK_SER_2",
    "DISK_ONLY",
    "DISK_ONLY_2",
    "DISK_ONLY_3",
    "OFF_HEAP"
  )
}
