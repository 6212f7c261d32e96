package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** What goes wrong while a decommissioned executor moves its map outputs to a global tier. */
class MovedOutputsSuite extends AnyFunSuite with Scratch {

  private def losses(url: String, tier: Path, settings: (String, String)*)(
      scenario: String
  ): Submit = Submit(
    Dist.patched,
    url,
    "Losses",
    Seq(
      "spark.hpc.scratch.tiers" -> s"local:${directory("fast")},global:$tier",
      "spark.executor.cores" -> "1",
      "spark.executor.memory" -> "512m",
      "spark.decommission.enabled" -> "true",
      "spark.storage.decommission.enabled" -> "true",
      "spark.storage.decommission.shuffleBlocks.enabled" -> "true",
      "spark.storage.decommission.replicationReattemptInterval" -> "1s",
      "spark.shuffle.io.retryWait" -> "100ms"
    ) ++ settings,
    Seq(Files.createTempDirectory(scratch, "notes").toString, scenario)
  )

  private def maps(run: Run, scenario: String): Seq[String] = {
    assert(run.exit == 0 && Apps.result(run, s"$scenario.sums") == LossesSuite.Sums, run)
    Apps.result(run, s"$scenario.maps").split(' ').toSeq
  }

  test("the executor is killed in the middle: what the driver wasn't told is computed again") {
    // Slow enough for the first output not to be the last.
    val slow = Seq("mds.median_us=20000", "ost.median_us=20000")
    Closing(new Pfs(directory("pfs"), settings = slow)) { pfs =>
      Closing(new StandaloneCluster(Dist.patched, directory("killed"), pfs.as(0))) { cluster =>
        val tier = pfs.common.resolve("tier")
        val submit = losses(
          cluster.url,
          tier,
          "spark.storage.decommission.shuffleBlocks.maxThreads" -> "1",
          "spark.hpc.shuffle.durability" -> "node",
          // Where it costs no request, so that who looks there isn't late.
          "spark.executorEnv.MOVED" -> directory("pfs").resolve("backing/tier").toString
        )("between-moving")
        val run = Run(pfs.as(0) ++ submit.command, scratch)
        val executors = maps(run, "between-moving")
        val victim = Apps.result(run, "between-moving.victim")
        assert(executors.size == LossesSuite.Maps + executors.count(_ == victim), run)
        assert(executors.contains(victim), run)
        val logs = cluster.executorLogs
        assert(logs.exists(_.contains("Will exit when finished decommissioning")), logs)
        assert(!logs.exists(_.contains("map outputs to the global tier in")), logs)
      }
    }
  }

  test("the tier is full in the middle: the rest goes to another executor, and nothing is lost") {
    val tier = directory("small")
    // Two of eight outputs or so.
    val mount = Seq("mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", tier.toString)
    Needs(Run(mount, scratch).exit == 0, "root to mount")
    try
      Closing(new StandaloneCluster(Dist.patched, directory("full"))) { cluster =>
        val run = losses(cluster.url, tier)("between-decommissioned").run(scratch)
        val executors = maps(run, "between-decommissioned")
        assert(executors.size == LossesSuite.Maps, run)
        assert(executors.contains(Apps.result(run, "between-decommissioned.victim")), run)
        val logs = cluster.executorLogs.mkString("\n")
        assert(logs.contains("No more map outputs are moved to the global tier"), logs)
        assert(logs.contains("No space left on device"), logs)
      }
    finally Run(Seq("umount", "-l", tier.toString), scratch): Unit
  }

  test("without a global tier, others on the receiver's node read what it received") {
    val settings = Seq(
      "spark.decommission.enabled" -> "true",
      "spark.storage.decommission.enabled" -> "true",
      "spark.storage.decommission.shuffleBlocks.enabled" -> "true",
      "spark.storage.decommission.replicationReattemptInterval" -> "1s",
      // As everywhere but in such a cluster.
      "spark.shuffle.readHostLocalDisk" -> "true"
    )
    val cluster = "local-cluster[3,1,1024]"
    for (dist <- Seq(Dist.stock, Dist.patched)) {
      val run = Submit(dist, cluster, "MovedToNeighbour", settings).run(scratch)
      assert(run.exit == 0 && Apps.result(run, "first") == Apps.result(run, "again"), run)
      assert(Apps.result(run, "failedFetches") == "0" && Apps.result(run, "maps") == "1", run)
    }
  }
}
