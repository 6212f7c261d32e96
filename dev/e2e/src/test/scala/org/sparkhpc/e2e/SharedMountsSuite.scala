package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Shuffles of two nodes on real parallel file systems, whose clients keep attributes, names and data for a while. */
class SharedMountsSuite extends AnyFunSuite with Scratch {

  private val scenarios =
    Seq("between-nothing", "map-executor", "between-executor", "reduce-executor", "between-file")

  private def worker(mounts: SharedMounts, cluster: StandaloneCluster, work: String): Started = {
    val options = Seq("--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g")
    val command = Seq(Dist.patched.bin("spark-class"), "org.apache.spark.deploy.worker.Worker") ++
      options ++ Seq("--work-dir", work, cluster.url)
    val env = cluster.daemons.env.filter { case (key, _) => key.startsWith("SPARK_DAEMON_") }
    Started(mounts.as(1) ++ command, scratch, env)
  }

  private def losses(kind: String, route: String): Unit = {
    val name = s"$kind-$route"
    Closing(new SharedMounts(kind, directory(name))) { mounts =>
      val work = directory(s"work-$name").toString
      Closing(new StandaloneCluster(Dist.patched, directory(s"cluster-$name"), mounts.as(0), 1)) {
        cluster =>
          Closing(worker(mounts, cluster, work)) { _ =>
            val settings = Seq(
              "spark.hpc.shuffle.placement" -> "global",
              "spark.hpc.shuffle.route" -> route,
              "spark.hpc.shuffle.directory" -> mounts.shared.toString,
              "spark.executor.cores" -> "1",
              "spark.executor.memory" -> "512m"
            ) ++ StandaloneCluster.Both
            val submit = Submit(
              Dist.patched,
              cluster.url,
              "Losses",
              settings,
              directory(s"notes-$name").toString +: scenarios
            )
            val run = Run(mounts.as(0) ++ submit.command, scratch)
            assert(run.exit == 0, run)
            assertRight(run)
          }
      }
      for (node <- 0 to 1) assert(mounts.names(node).isEmpty)
    }
  }

  private def assertRight(run: Run): Unit = {
    for (scenario <- scenarios) {
      assert(Apps.result(run, s"$scenario.sums") == LossesSuite.Sums, s"$scenario\n$run")
      val again =
        if (scenario == "between-file") Apps.result(run, s"$scenario.damaged").toInt else 0
      val maps = Apps.result(run, s"$scenario.maps").split(' ')
      assert(maps.length == LossesSuite.Maps + again, s"$scenario\n$run")
    }
    // Nothing of the first shuffle was lost since.
    assert(Apps.result(run, "again.maps").split(' ').length == LossesSuite.Maps, run)
  }

  test("GlusterFS: only what is damaged is computed again", Slow) {
    losses("glusterfs", "direct")
  }

  test("GlusterFS, with either route", Slow) {
    losses("glusterfs", "auto")
  }

  test("CephFS: only what is damaged is computed again", Slow) {
    losses("cephfs", "direct")
  }

  test("MooseFS: only what is damaged is computed again", Slow) {
    losses("moosefs", "direct")
  }
}
