package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** What the patch tells of itself in a cluster: a line in each executor's log, and a metric. */
class StandaloneLogSuite extends AnyFunSuite with Scratch {

  private val processes = Seq("0", "1", "driver")

  test("executors log the version, and every process counts four patched components") {
    val dist = Dist.patched
    val metrics = new CsvMetrics(directory("csv"))
    Closing(new StandaloneCluster(dist, directory("standalone"))) { cluster =>
      val run = Run(
        Seq(
          dist.bin("run-example"),
          "--master",
          cluster.url,
          "--conf",
          "spark.ui.enabled=false"
        ) ++ metrics.options ++ Seq("hpc.PatchCheck", "--executors", "2"),
        scratch
      )
      PatchReport.assertPatched(run, processes: _*)

      val logs = cluster.executorLogs
      assert(logs.size == 2)
      for (log <- logs) assert(log.contains(s"Spark-HPC ${Dist.version} "), log)

      for (process <- processes)
        assert(metrics.values(process, "hpc.patchedComponents").toSet == Set("4"), process)
    }
  }
}
