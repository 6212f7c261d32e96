package org.sparkhpc.sim.cluster

import java.nio.file.{Files, Path}

import scala.annotation.tailrec
import scala.collection.JavaConverters._

import org.apache.spark.examples.hpc.Refusal

/** Numbers by name. They come from files in the form of dev/testbed/pfs/presets.conf. */
final class Settings private (val name: String, values: Map[String, Double]) {

  def apply(key: String): Double =
    values.getOrElse(
      key,
      throw Refusal.data(s"[$name] has no $key: add it to the file of machines")
    )

  def get(key: String, default: Double): Double = values.getOrElse(key, default)

  /** What a request of this kind takes, to an open. */
  def weight(kind: String): Double = get(s"weight.$kind", 1)

  /** These settings with another value. */
  def set(key: String, value: Double): Settings = new Settings(name, values + (key -> value))
}

object Settings {
  private val Section = """\[([\w-]+)\]""".r
  private val Like = """like\s*=\s*([\w-]+)""".r
  private val Value = """([\w.-]+)\s*=\s*(\S+)""".r

  /** The settings of a section, with those of the sections that it is `like`. A later file's sections can be like an
    * earlier file's.
    */
  def read(files: Seq[Path], section: String): Settings =
    new Settings(section, values(sections(files), section))

  private def sections(files: Seq[Path]): Map[String, Seq[String]] = {
    var found = Map.empty[String, Seq[String]]
    for (file <- files) {
      if (!Files.isRegularFile(file)) throw Refusal.data(s"$file: there is no such file")
      var in = ""
      for (
        line <- Files.readAllLines(file).asScala.map(_.replaceAll("#.*", "").trim) if line.nonEmpty
      )
        line match {
          case Section(name) =>
            in = name
            found += in -> Nil
          case other => found += in -> (found.getOrElse(in, Nil) :+ other)
        }
    }
    found
  }

  private def values(all: Map[String, Seq[String]], section: String): Map[String, Double] = {
    @tailrec def from(
        name: String,
        above: Map[String, Double],
        seen: Set[String]
    ): Map[String, Double] = {
      val lines = all.getOrElse(
        name,
        throw Refusal.data(
          s"[$name]: there is no such section; there are ${all.keys.toSeq.sorted.mkString(", ")}"
        )
      )
      val its = lines.collect {
        case line @ Value(key, value) if key != "like" =>
          key -> value.toDoubleOption(line)
      }.toMap ++ above
      lines.collectFirst { case Like(other) => other } match {
        case Some(other) if seen(other) => throw Refusal.data(s"[$name] is like itself")
        case Some(other) => from(other, its, seen + other)
        case None => its
      }
    }
    from(section, Map.empty, Set(section))
  }

  private implicit class Number(text: String) {
    def toDoubleOption(line: String): Double =
      try text.toDouble
      catch { case _: NumberFormatException => throw Refusal.data(s"$line: $text is no number") }
  }
}
