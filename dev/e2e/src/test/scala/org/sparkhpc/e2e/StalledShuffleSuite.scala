package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** An emulated Lustre that stands still for one of two nodes in the middle of a reduce stage. */
class StalledShuffleSuite extends AnyFunSuite with Scratch {

  test("its reducers ask the other node's executor, and nothing is computed again") {
    val metrics = new CsvMetrics(directory("metrics"))
    // So that each read is a request.
    Closing(new Pfs(directory("pfs"), nodes = 2, Seq("client.cache=0"))) { pfs =>
      Closing(new StandaloneCluster(Dist.patched, directory("cluster"), pfs.as(0), 1)) { cluster =>
        Closing(cluster.worker(pfs.as(1), directory("work"))) { _ =>
          val submit = Submit(
            Dist.patched,
            cluster.url,
            "Losses",
            Seq(
              "spark.hpc.shuffle.placement" -> "global",
              "spark.hpc.shuffle.route" -> "direct",
              "spark.hpc.shuffle.directory" -> pfs.common.resolve("shared").toString,
              "spark.hpc.shuffle.direct.timeout" -> "1s",
              "spark.executor.cores" -> "1",
              "spark.executor.memory" -> "512m",
              "spark.executorEnv.FAULT" -> pfs.stallOf(15).toString
            ),
            Seq(directory("notes").toString, "reduce0-fault"),
            metrics.options
          )
          val run = Run(pfs.as(0) ++ submit.command, scratch)
          assert(run.exit == 0, run)
          assert(run.err.contains("and the driver see at once what the other writes"), run)
          assert(Apps.result(run, "reduce0-fault.sums") == LossesSuite.Sums, run)
          assert(
            Apps.result(run, "reduce0-fault.maps").split(' ').length == LossesSuite.Maps,
            run
          )
          assert(Apps.result(run, "reduce0-fault.victim") == "0", run)
        }
      }
    }
    for (what <- Seq("network.blocks", "fallbacks"))
      assert(metrics.values("0", s"hpc.shuffle.$what").last.toLong > 0, what)
  }
}
