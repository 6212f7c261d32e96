package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

/** The metrics that each process of an application writes into a directory: every second, and at its
  * end.
  */
final class CsvMetrics(directory: Path) {

  /** For spark-submit and what is like it. */
  val options: Seq[String] = {
    val sink = Seq(
      "class" -> "org.apache.spark.metrics.sink.CsvSink",
      "period" -> "1",
      "unit" -> "seconds",
      "directory" -> directory.toString
    )
    val settings = sink.map { case (key, value) => s"spark.metrics.conf.*.sink.csv.$key=$value" }
    (settings :+ "spark.metrics.namespace=app").flatMap(Seq("--conf", _))
  }

  /** What a process, `driver` or an executor's id, has written of a metric; waits for the first. */
  def values(process: String, metric: String): Seq[String] =
    Patience.until(s"$metric of $process") {
      val file = directory.resolve(s"app.$process.$metric.csv")
      Option(file).filter(Files.exists(_)).map(column).filter(_.nonEmpty)
    }(files.mkString("\n"))

  /** What all processes have written of a metric. */
  def values(metric: String): Seq[String] =
    files.filter(_.getFileName.toString.endsWith(s".$metric.csv")).flatMap(column)

  /** Without the row that its process is writing, or was when it was killed. */
  private def column(file: Path): Seq[String] =
    Run.read(file).linesWithSeparators.filter(_.endsWith("\n")).drop(1)
      .map(_.trim.split(",").last).toSeq

  private def files: Seq[Path] = Closing(Files.list(directory))(_.iterator().asScala.toList)
}
