package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** Executors that come with work and go without it, on a standalone cluster. */
class DynamicAllocationSuite extends AnyFunSuite with Scratch {

  private def elastic(name: String, settings: (String, String)*): Run =
    Closing(new StandaloneCluster(Dist.patched, directory(name))) { cluster =>
      val run = Submit(
        Dist.patched,
        cluster.url,
        "Elastic",
        Seq(
          "spark.dynamicAllocation.enabled" -> "true",
          "spark.dynamicAllocation.executorIdleTimeout" -> "1s",
          "spark.dynamicAllocation.schedulerBacklogTimeout" -> "1s",
          "spark.dynamicAllocation.minExecutors" -> "0",
          "spark.executor.cores" -> "1"
        ) ++ settings
      ).run(scratch)
      assert(run.exit == 0, run)
      for (round <- Seq("first", "again"))
        assert(Apps.result(run, round) == DynamicAllocationSuite.sums, run)

      val (added, removed) = Apps.result(run, "events").split(" ").partition(_.startsWith("+"))
      assert(added.length >= 3 && added.length == added.distinct.length, run)
      assert(removed.map(_.tail).sorted.toSeq == added.map(_.tail).sorted.toSeq, run)

      val seen = PatchReport.of(run.out).map(_.executor)
      assert(seen.distinct.size >= 2, run)
      PatchReport.assertPatched(run, seen: _*)
      for (log <- added.map(_.tail).map(cluster.executorLog))
        assert(log.contains(s"Spark-HPC ${Dist.version} is in place"), log)
      run
    }

  test("executors are added and removed, and what they took with them is computed again") {
    val run = elastic(
      "tracking",
      "spark.dynamicAllocation.shuffleTracking.enabled" -> "true",
      "spark.dynamicAllocation.shuffleTracking.timeout" -> "1s"
    )
    assert(Apps.result(run, "maps").toInt > DynamicAllocationSuite.Maps, run)
  }

  test("with map outputs in a shared directory executors come and go, and none is computed again") {
    val run = elastic(
      "global",
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> directory("shared").toString
    )
    assert(Apps.result(run, "maps").toInt == DynamicAllocationSuite.Maps, run)
  }
}

object DynamicAllocationSuite {
  private val Maps = 16

  /** Of the numbers below 1600, by their remainder of 5. */
  private val sums = (0 to 4).map(rest => (rest, (rest until 1600 by 5).sum)).mkString(" ")
}
