package org.sparkhpc.sim

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.sparkhpc.retain.Lru
import org.sparkhpc.retain.trace.{TraceBlock, TraceEvent}
import org.sparkhpc.retain.trace.TraceEvent._

class ReplaySuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def disk = Disk(Some(2.0), nanosPerBlock = 0)

  private def replay(policy: String, trace: Trace, memory: Long, maySpill: Boolean): Costs =
    Policies.replay(policy, trace, memory, maySpill, disk)

  test("nothing is got back when all fits, whatever the policy") {
    forAll(Traces.small) { some =>
      // What was unpersisted is computed again for each of its readers, however much fits.
      val trace = new Trace(some.events.filterNot(_.isInstanceOf[Forgotten]))
      for (policy <- Policies.names; maySpill <- Seq(false, true))
        assert(replay(policy, trace, trace.peakBytes, maySpill) == Costs())
    }
  }

  test("no policy is better than the best that can be done") {
    forAll(Traces.small, Gen.choose(0L, 6L), Gen.oneOf(true, false)) { (trace, memory, maySpill) =>
      val least = new Exhaustive(trace, memory, maySpill, disk.speed).nanos
      for (policy <- Policies.names)
        assert(replay(policy, trace, memory, maySpill).nanos >= least - 1e-6, policy)
    }
  }

  test("without room, and without a disk, everything is computed for each request") {
    val trace = Traces.loop(blocks = 3, times = 4, bytes = 10, nanos = 7)
    for (policy <- Policies.names) {
      val costs = replay(policy, trace, 0, maySpill = false)
      assert(costs.computedAgain == 9 && costs.computingNanos == 63)
      assert(costs.bytesWritten == 0 && costs.bytesRead == 0 && costs.evictions == 0)
    }
  }

  test("without room, with a disk, everything is written once and read for each request") {
    val trace = Traces.loop(blocks = 3, times = 4, bytes = 10, nanos = 7)
    val costs = replay("lru", trace, 0, maySpill = true)
    assert(costs == Costs(diskNanos = 300, bytesWritten = 30, bytesRead = 120))
  }

  test("dropped generations cost twice as much with each, spilled ones don't") {
    def again(count: Int, maySpill: Boolean): Long =
      replay("lru", Traces.generations(count, 10, 1000), 0, maySpill).computedAgain
    assert(again(12, maySpill = false) > 3 * again(10, maySpill = false))
    assert(again(12, maySpill = true) == 0)
  }

  test(
    "a loop over more than fits finds a part of it in memory, since what is on disk leaves first"
  ) {
    val trace = Traces.loop(blocks = 10, times = 20, bytes = 100, nanos = 1000000)
    val lru = replay("lru", trace, 500, maySpill = true)
    val loop = replay("loop", trace, 500, maySpill = true)
    val best = replay("next-use", trace, 500, maySpill = true)
    assert(lru.bytesRead <= 19 * 6 * 100)
    assert(loop.bytesRead <= 19 * 6 * 100)
    assert(best.nanos <= lru.nanos)
    assert(loop.bytesWritten <= lru.bytesWritten)
  }

  /** Two blocks of two RDDs of 10 bytes each are read, then `events` happen, then the first block is read again. */
  private def two(events: TraceEvent*): Trace = {
    val all = Seq(TraceBlock(1, 0), TraceBlock(2, 0))
    val made = all.flatMap { block =>
      Seq(Requested(block), Stored(block, 10), Computed(block, 100, Nil), Released(block))
    }
    new Trace((made ++ events :+ Requested(TraceBlock(1, 0))).toIndexedSeq)
  }

  test("memory that tasks need holds no blocks") {
    assert(replay("lru", two(), 20, maySpill = true).evictions == 0)
    val needed = replay("lru", two(Needed(None, 5, 5)), 20, maySpill = true)
    // The first block is evicted, and then, to read it again, the second one.
    assert(needed == Costs(diskNanos = 60, bytesWritten = 20, bytesRead = 10, evictions = 2))
    val all = replay("lru", two(Needed(None, 15, 15)), 20, maySpill = true)
    assert(all.evictions == 2 && all.bytesWritten == 20)
  }

  test("a block that a task reads stays") {
    val reading = two(Requested(TraceBlock(1, 0)), Needed(None, 5, 5))
    val costs = replay("lru", reading, 20, maySpill = true)
    assert(costs == Costs(diskNanos = 20, bytesWritten = 10, evictions = 1))
  }

  test("a block without a copy leaves, where the one with a copy is in use") {
    val third = TraceBlock(3, 0)
    val events = Seq(
      // The first block is written and read back, and a task goes on reading it.
      Needed(None, 5, 5),
      Needed(None, 0, 0),
      Requested(TraceBlock(1, 0)),
      Requested(third),
      Needed(Some(third), 10, 10),
      Needed(None, 0, 0),
      Stored(third, 10),
      Computed(third, 100, Seq(TraceBlock(1, 0)))
    )
    val costs = replay("lru", two(events: _*), 20, maySpill = true)
    assert(costs.bytesWritten == 20 && costs.bytesRead == 10 && costs.evictions == 2)
  }

  test("a replay has the run's figures of the disk") {
    def costs(events: TraceEvent*): Costs = {
      val trace = two(events :+ Needed(None, 5, 5): _*)
      new Replay(trace, new Lru, 20, maySpill = true, Disk(None, nanosPerBlock = 0)).run()
    }
    val fast = costs()
    val slow = costs(Sampled(1, 10, nanosToWrite = 1000, nanosToRead = 2000))
    assert(slow.diskNanos - fast.diskNanos == 3000)
  }

  test("a replay ends, however much was to be computed again, and says so") {
    val costs = replay("lru", Traces.generations(60, 10, 1), 0, maySpill = false)
    assert(costs.isCutShort)
  }
}
