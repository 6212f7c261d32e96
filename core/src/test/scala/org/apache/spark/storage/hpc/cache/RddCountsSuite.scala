package org.apache.spark.storage.hpc.cache

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.storage.{RDDBlockId, ShortOfMemory}
import org.apache.spark.storage.ShortOfMemory.{BlockBytes, Counted}

/** What an executor counts of each RDD's cached blocks. */
class RddCountsSuite extends AnyFunSuite with ShortOfMemory {
  private val block = RDDBlockId(3, 1)

  private def compute(counts: RddCounts, block: RDDBlockId): Seq[Int] =
    counts.compute(block, () => Iterator(1, 2)).toSeq

  test("each take has what happened since the last one") {
    val counts = new RddCounts
    counts.written(block, 10)
    counts.written(RDDBlockId(3, 2), 5)
    counts.readBack(RDDBlockId(4, 0), 7)
    assert(counts.take() == Map("rdd.3.written" -> 15.0, "rdd.4.readBack" -> 7.0))
    assert(counts.take().isEmpty)
    counts.written(block, 1)
    assert(counts.take() == Map("rdd.3.written" -> 1.0))
  }

  test("a block is computed again if it was computed before, unless its RDD was unpersisted") {
    val counts = new RddCounts
    assert(compute(counts, block) == Seq(1, 2))
    assert(compute(counts, RDDBlockId(3, 2)) == Seq(1, 2))
    assert(counts.take().isEmpty)
    assert(compute(counts, block) == Seq(1, 2))
    assert(counts.take() == Map("rdd.3.again" -> 1.0))
    counts.forget(3)
    compute(counts, block)
    assert(counts.take().isEmpty)
  }

  test("of many RDDs, all come with one of the next takes") {
    val counts = new RddCounts
    for (rdd <- 1 to 500) counts.written(RDDBlockId(rdd, 0), 1)
    val taken = Iterator.continually(counts.take()).takeWhile(_.nonEmpty).toSeq
    assert(taken.size > 1 && taken.forall(_.size <= 200))
    assert(taken.map(_.size).sum == 500)
  }

  for (spill <- Seq("always", "never"))
    test(s"with $spill, it is counted what becomes of an RDD's blocks") {
      // Otherwise, executors' figures take the counts.
      withContext("spark.hpc.retention.spill" -> spill, "spark.hpc.profile.interval" -> "0") { sc =>
        val cached = new Counted(sc)(index => Array.fill(BlockBytes)(index.toByte))
        cached.rdd.count()
        cached.computed()
        press(sc)
        val files = spilledFiles(cached.rdd)
        cached.rdd.count()
        val counted = SpillingCache.of(sc.env.blockManager).get.takeRddFigures()
        def count(what: String): Double = counted.getOrElse(s"rdd.${cached.rdd.id}.$what", 0.0)
        assert(count("written") >= files.map(_.length).sum)
        assert((count("readBack") > 0) == (spill == "always"))
        assert(count("again") == cached.computed().sum)
        assert((count("again") > 0) == (spill == "never"))
      }
    }
}
