package org.sparkhpc.e2e

import java.nio.file.Files

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite

/** What the patch tells of itself in a cluster: a line in each executor's log, and a metric. */
class StandaloneLogSuite extends AnyFunSuite with Scratch {

  private val processes = Seq("0", "1", "driver")

  private val sink =
    Map("class" -> "org.apache.spark.metrics.sink.CsvSink", "period" -> "1", "unit" -> "seconds")

  test("executors log the version, and every process counts four patched components") {
    val dist = Dist.patched
    val csv = directory("csv")
    val conf = (sink + ("directory" -> csv.toString)).toSeq.flatMap { case (key, value) =>
      Seq("--conf", s"spark.metrics.conf.*.sink.csv.$key=$value")
    }
    Closing(new StandaloneCluster(dist, directory("standalone"))) { cluster =>
      val run = Run(
        Seq(
          dist.bin("run-example"),
          "--master",
          cluster.url,
          "--conf",
          "spark.ui.enabled=false",
          "--conf",
          "spark.metrics.namespace=app"
        ) ++ conf ++ Seq("hpc.PatchCheck"),
        scratch
      )
      PatchReport.assertPatched(run, processes: _*)

      val logs = cluster.executorLogs
      assert(logs.size == 2)
      for (log <- logs) assert(log.contains(s"Spark-HPC ${Dist.version} "), log)

      for (process <- processes) {
        val values = Patience.until(s"metric of $process") {
          val file = csv.resolve(s"app.$process.hpc.patchedComponents.csv")
          Option(file).filter(Files.exists(_)).map(Run.read(_).linesIterator.toSeq.drop(1))
            .filter(_.nonEmpty)
        }(Closing(Files.list(csv))(_.iterator().asScala.mkString("\n")))
        assert(values.map(_.split(",").last).toSet == Set("4"), process)
      }
    }
  }
}
