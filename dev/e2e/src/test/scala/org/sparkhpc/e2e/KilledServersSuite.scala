package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Servers of real parallel file systems that are killed while a shuffle of two nodes writes, between its stages, and
  * while it reads, or don't answer while it reads. They run again four seconds later, with what they had on disk. All
  * results are right.
  */
class KilledServersSuite extends AnyFunSuite with Scratch {

  private val scenarios = Seq("map-fault", "between-fault", "reduce-fault", "reduce-stall")

  /** In each scenario, clients wait for the server, and nothing is computed again. */
  private def waits(kind: String, server: String): Unit = run(kind, server) { (run, mounts) =>
    for (label <- scenarios :+ "again")
      assert(Apps.result(run, s"$label.maps").split(' ').length == LossesSuite.Maps, run)
    for (node <- 0 to 1) assert(mounts.files(node).isEmpty)
  }

  /** Runs all scenarios in one application; asserts that all results are right, and what `more` does. */
  private def run(kind: String, server: String, conf: (String, String)*)(
      more: (Run, SharedMounts) => Unit
  ): Unit = {
    val name = s"$kind-$server"
    Closing(new SharedMounts(kind, directory(name))) { mounts =>
      Closing(new StandaloneCluster(Dist.patched, directory(s"cluster-$name"), mounts.as(0), 1)) {
        cluster =>
          Closing(cluster.worker(mounts.as(1), directory(s"work-$name"))) { _ =>
            val fault = mounts.faultOf(server, 4)
            val settings = Seq(
              "spark.hpc.shuffle.placement" -> "global",
              "spark.hpc.shuffle.directory" -> mounts.shared.toString,
              "spark.executor.cores" -> "1",
              "spark.executor.memory" -> "512m",
              "spark.executorEnv.FAULT" -> fault.toString
            ) ++ conf ++ StandaloneCluster.Both
            val notes = directory(s"notes-$name").toString
            val submit = Submit(Dist.patched, cluster.url, "Losses", settings, notes +: scenarios)
            val run = Run(mounts.as(0) ++ submit.command, scratch)
            assert(run.exit == 0, run)
            // The message of a command that failed begins with it.
            assert(!run.err.contains(s"IllegalStateException: $fault"), run)
            mounts.awaitServers()
            for (scenario <- scenarios)
              assert(Apps.result(run, s"$scenario.victim") != "none", run)
            for (label <- scenarios :+ "again")
              assert(Apps.result(run, s"$label.sums") == LossesSuite.Sums, run)
            more(run, mounts)
          }
      }
    }
  }

  test("a chunk server of MooseFS", Slow) {
    waits("moosefs", "chunkserver-0")
  }

  test("the metadata server of MooseFS", Slow) {
    waits("moosefs", "master")
  }

  test("the metadata server of CephFS", Slow) {
    waits("cephfs", "mds.a")
  }

  test(
    "a brick of GlusterFS: its clients fail, so tasks run again, and what can't be removed is named",
    Slow
  ) {
    // A task fails within a moment, so by default its last attempt may end before the brick is back.
    val patient =
      Seq("spark.task.maxFailures" -> "100", "spark.stage.maxConsecutiveAttempts" -> "100")
    run("glusterfs", "brick-0", patient: _*) { (run, mounts) =>
      val said = run.err.linesIterator.filter(_.contains("Cannot remove all map outputs")).toSeq
      for (node <- 0 to 1; application <- mounts.files(node).map(_.getName(0)).distinct)
        assert(said.exists(_.contains(s"/$application ")), run)
    }
  }
}
