package org.sparkhpc.sim

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.sparkhpc.retain.trace.TraceEvent.Forgotten

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
    assert(costs == Costs(diskNanos = 240, bytesWritten = 30, bytesRead = 90))
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
    val cost = replay("cost", trace, 500, maySpill = true)
    val best = replay("next-use", trace, 500, maySpill = true)
    assert(lru.bytesRead <= 19 * 6 * 100)
    assert(cost.bytesRead <= 19 * 6 * 100)
    assert(best.bytesRead <= cost.bytesRead)
    assert(cost.bytesWritten <= lru.bytesWritten)
  }

  test("a replay ends, however much was to be computed again, and says so") {
    val costs = replay("lru", Traces.generations(60, 10, 1), 0, maySpill = false)
    assert(costs.isCutShort)
  }
}
