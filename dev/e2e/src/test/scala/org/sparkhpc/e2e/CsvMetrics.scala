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
      Option(file).filter(Files.exists(_)).map(Run.read(_).linesIterator.toSeq.drop(1))
        .filter(_.nonEmpty)
    }(Closing(Files.list(directory))(_.iterator().asScala.mkString("\n"))).map(_.split(",").last)
}
