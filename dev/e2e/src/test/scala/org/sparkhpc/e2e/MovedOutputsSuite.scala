package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** What goes wrong while a decommissioned executor moves its map outputs to a global tier. */
class MovedOutputsSuite extends AnyFunSuite with Scratch {
  import MovedOutputsSuite._

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def losses(tier: Path, settings: (String, String)*)(scenario: String): Submit = Submit(
    dist,
    Submit.LocalCluster,
    "Losses",
    decommissioning ++ Seq(
      "spark.hpc.scratch.tiers" -> s"local:${directory("fast")},global:$tier",
      "spark.executor.cores" -> "1",
      "spark.executor.memory" -> "512m",
      "spark.shuffle.io.retryWait" -> "100ms"
    ) ++ settings,
    Seq(Files.createTempDirectory(scratch, "notes").toString, scenario)
  )

  private def killed(pfs: Pfs): Submit = {
    val tier = Path.of(pfs.mount, "tier")
    losses(
      tier,
      "spark.storage.decommission.shuffleBlocks.maxThreads" -> "1",
      "spark.hpc.shuffle.durability" -> "node",
      // Where it costs no request, so that who looks there isn't late.
      "spark.executorEnv.MOVED" -> pfs.backing(tier).toString
    )("between-moving")
  }

  /** One after the other in one driver. */
  private lazy val runs: Map[String, Run] = {
    val small = directory("small")
    // Two of eight outputs or so.
    val mount = Seq("mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", small.toString)
    Needs(Run(mount, scratch).exit == 0, "root to mount")
    // Slow enough for the first output not to be the last.
    val slow = Seq("mds.median_us=20000", "ost.median_us=20000")
    try
      Closing(new Pfs(directory("pfs"), settings = slow)) { pfs =>
        InTurn(scratch)(
          "killed" -> killed(pfs),
          "full" -> losses(small)("between-decommissioned"),
          "neighbour" ->
            Submit(dist, "local-cluster[3,1,1024]", "MovedToNeighbour", decommissioning)
        )
      }
    finally Run(Seq("umount", "-l", small.toString), scratch): Unit
  }

  private def maps(run: Run, scenario: String): Seq[String] = {
    assert(Apps.result(run, s"$scenario.sums") == LossesSuite.Sums, run)
    Apps.result(run, s"$scenario.maps").split(' ').toSeq
  }

  private def logs(run: Run): Iterable[String] = ExecutorLogs.of(dist, run).values

  test("the executor is killed in the middle: what the driver wasn't told is computed again") {
    val run = runs("killed")
    val executors = maps(run, "between-moving")
    val victim = Apps.result(run, "between-moving.victim")
    assert(executors.size == LossesSuite.Maps + executors.count(_ == victim), run)
    assert(executors.contains(victim), run)
    val said = logs(run)
    assert(said.exists(_.contains("Will exit when finished decommissioning")), said)
    assert(!said.exists(_.contains("map outputs to the global tier in")), said)
  }

  test("the tier is full in the middle: the rest goes to another executor, and nothing is lost") {
    val run = runs("full")
    val executors = maps(run, "between-decommissioned")
    assert(executors.size == LossesSuite.Maps, run)
    assert(executors.contains(Apps.result(run, "between-decommissioned.victim")), run)
    val said = logs(run).mkString("\n")
    assert(said.contains("No more map outputs are moved to the global tier"), said)
    assert(said.contains("No space left on device"), said)
  }

  test("without a global tier, others on the receiver's node read what it received") {
    val run = runs("neighbour")
    assert(Apps.result(run, "first") == sums && Apps.result(run, "again") == sums, run)
    assert(Apps.result(run, "failedFetches") == "0" && Apps.result(run, "maps") == "1", run)
  }
}

object MovedOutputsSuite {

  /** Executors move what they have, and read others' files, as they do on other clusters. */
  private val decommissioning = Seq(
    "spark.decommission.enabled" -> "true",
    "spark.storage.decommission.enabled" -> "true",
    "spark.storage.decommission.shuffleBlocks.enabled" -> "true",
    "spark.storage.decommission.replicationReattemptInterval" -> "1s",
    "spark.shuffle.readHostLocalDisk" -> "true"
  )

  /** Of the numbers below 1000, by their remainder of 8. */
  private val sums =
    (0L until 8L).map(rest => (rest, (rest until 1000L by 8L).sum)).mkString(" ")
}
