package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

class PendingReadsSuite extends AnyFunSuite {
  import PendingReads._

  private def cached(id: Int, parents: Int*) = Rdd(id, parents, isPersisted = true)
  private def plain(id: Int, parents: Int*) = Rdd(id, parents, isPersisted = false)

  test("each computation that reads a persisted RDD counts, through what isn't persisted") {
    val pending = new PendingReads
    // 5 reads 4 and 3; 4 reads 2 by way of 3; 3 isn't kept.
    val stage = Stage(1, Seq(cached(5, 4, 3), cached(4, 3), plain(3, 2), cached(2, 1)), None)
    pending.jobStarted(1, Seq(stage))
    assert(pending.counts == Map(4 -> 1, 2 -> 1))
  }

  test("what was computed isn't computed again, until it is unpersisted") {
    val pending = new PendingReads
    val first = Stage(1, Seq(cached(2, 1), cached(1)), None)
    pending.jobStarted(1, Seq(first))
    assert(pending.counts == Map(1 -> 1))
    pending.stageCompleted(first)
    assert(pending.counts.isEmpty)
    pending.jobEnded(1)

    val second = Stage(2, Seq(plain(3, 2), cached(2, 1), cached(1)), None)
    pending.jobStarted(2, Seq(second))
    assert(pending.counts == Map(2 -> 1))
    pending.unpersisted(2)
    assert(pending.counts == Map(2 -> 1, 1 -> 1))
  }

  test("a job's later stages count, and those that are skipped don't") {
    val pending = new PendingReads
    val map = Stage(1, Seq(plain(2, 1), cached(1)), Some(7))
    val reduce = Stage(2, Seq(plain(5, 4), cached(4)), None)
    pending.jobStarted(1, Seq(map, reduce))
    assert(pending.counts == Map(1 -> 1, 4 -> 1))
    pending.stageCompleted(map)
    assert(pending.counts == Map(4 -> 1))
    pending.jobEnded(1)
    assert(pending.counts.isEmpty)
    // The same shuffle under another number.
    pending.jobStarted(2, Seq(map.copy(id = 3), reduce.copy(id = 4)))
    assert(pending.counts == Map(4 -> 1))
  }

  test("a stage that two jobs share counts once") {
    val pending = new PendingReads
    val stage = Stage(1, Seq(plain(2, 1), cached(1)), Some(7))
    pending.jobStarted(1, Seq(stage))
    pending.jobStarted(2, Seq(stage))
    assert(pending.counts == Map(1 -> 1))
  }
}
