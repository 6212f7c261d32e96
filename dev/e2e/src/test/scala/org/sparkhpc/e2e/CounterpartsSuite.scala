package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** What those of Spark's own tests want that can't pass here (dev/conformance/known-failures.txt), in a way
  * that holds for stock Spark and for ours.
  */
class CounterpartsSuite extends AnyFunSuite with Scratch {
  private val cluster = "local-cluster[2,1,1024]"

  for ((what, parts, memory) <- Seq(("no", 2, 5000), ("some", 20, 10000)))
    test(s"DistributedSuite: where $what partitions fit in memory, contents are stock Spark's") {
      val short = Seq(
        "spark.testing.memory" -> memory.toString,
        "spark.testing.reservedMemory" -> "0",
        "spark.storage.unrollMemoryThreshold" -> "1024"
      )
      def contents(dist: Dist, settings: (String, String)*): (Seq[String], Int) = {
        val run = Submit(dist, cluster, "ShortOfMemory", short ++ settings, Seq(parts.toString))
          .run(scratch)
        assert(run.exit == 0, run)
        val rounds = (1 to 3).map(round => Apps.result(run, s"contents.$round"))
        (rounds, Apps.result(run, "kept").toInt)
      }
      val (expected, keptByStock) = contents(Dist.stock)
      assert(expected.distinct.size == 1 && expected.head.startsWith("10000 "))
      assert(contents(Dist.patched)._1 == expected)
      // That none is kept is what Spark's test wants: here those without room are, on disk.
      val (spilled, kept) = contents(Dist.patched, "spark.hpc.retention.spill" -> "always")
      assert(spilled == expected)
      assert(keptByStock < parts && kept == parts)
    }

  test("SPARK-36206: what has changed on disk fails the fetch, and is called that") {
    def failure(dist: Dist, name: String, attempts: Int): Run = {
      val local = directory(s"$name-$attempts").toString
      val settings = Seq(
        "spark.local.dir" -> local,
        "spark.stage.maxConsecutiveAttempts" -> attempts.toString
      )
      val run = Submit(dist, cluster, "DamagedOnDisk", settings, Seq(local)).run(scratch)
      assert(run.exit == 0 && Apps.result(run, "damaged").toInt > 0, run)
      run
    }
    for ((name, dist) <- Seq("stock" -> Dist.stock, "patched" -> Dist.patched)) {
      val said = Apps.result(failure(dist, name, 1), "failure")
      assert(said.contains("corrupted due to DISK_ISSUE"), said)
      assert(Apps.result(failure(dist, name, 4), "again") == "true")
    }
  }
}
