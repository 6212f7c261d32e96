package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** Executors that come with work and go without it. */
class DynamicAllocationSuite extends AnyFunSuite with Scratch {
  import DynamicAllocationSuite._

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def elastic(settings: (String, String)*): Submit = Submit(
    dist,
    Submit.LocalCluster,
    "Elastic",
    Seq(
      "spark.dynamicAllocation.enabled" -> "true",
      "spark.dynamicAllocation.executorIdleTimeout" -> "1s",
      "spark.dynamicAllocation.schedulerBacklogTimeout" -> "1s",
      "spark.dynamicAllocation.minExecutors" -> "0",
      // As everywhere but in a local cluster.
      "spark.shuffle.readHostLocalDisk" -> "true",
      "spark.executor.cores" -> "1"
    ) ++ settings
  )

  /** One after the other in one driver. */
  private lazy val runs: Map[String, Run] = InTurn(scratch)(
    "tracking" -> elastic(
      "spark.dynamicAllocation.shuffleTracking.enabled" -> "true",
      "spark.dynamicAllocation.shuffleTracking.timeout" -> "1s"
    ),
    "global" -> elastic(
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> directory("shared").toString
    )
  )

  /** What both say in common; returns how many map tasks ran. */
  private def maps(run: Run): Int = {
    for (round <- Seq("first", "again")) assert(Apps.result(run, round) == sums, run)

    val (added, removed) = Apps.result(run, "events").split(" ").partition(_.startsWith("+"))
    assert(added.length >= 3 && added.length == added.distinct.length, run)
    assert(removed.map(_.tail).sorted.toSeq == added.map(_.tail).sorted.toSeq, run)

    val seen = PatchReport.of(run.out).map(_.executor)
    assert(seen.distinct.size >= 2, run)
    PatchReport.assertPatched(run, seen: _*)
    val logs = ExecutorLogs.of(dist, run)
    for (executor <- added.map(_.tail))
      assert(logs(executor).contains(s"Spark-HPC ${Dist.version} is in place"), logs(executor))
    Apps.result(run, "maps").toInt
  }

  test("executors are added and removed, and what they took with them is computed again") {
    val run = runs("tracking")
    assert(maps(run) > Maps, run)
  }

  test("with map outputs in a shared directory executors come and go, and none is computed again") {
    val run = runs("global")
    assert(maps(run) == Maps, run)
  }
}

object DynamicAllocationSuite {
  private val Maps = 16

  /** Of the numbers below 1600, by their remainder of 5. */
  private val sums = (0 to 4).map(rest => (rest, (rest until 1600 by 5).sum)).mkString(" ")
}
