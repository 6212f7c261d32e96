package org.sparkhpc.tier

import java.util.concurrent.TimeUnit

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class PaceSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import Pace._

  private val second = TimeUnit.SECONDS.toNanos(1)
  private val nanos = Gen.choose(0L, second)

  private def paceOf(writes: Seq[Long], now: () => Long = () => 0): Pace = {
    val pace = new Pace(now)
    writes.foreach(pace.wrote(1, _))
    pace
  }

  private def isPassedOver(pace: Pace, next: Pace): Boolean =
    pace.isPassedOverFor(next)((_, _) => ())

  test("the median is of the last writes, and there is none before there were so many") {
    forAll(Gen.listOf(nanos)) { few =>
      forAll(Gen.listOfN(3 * Window, nanos), Gen.choose(0, 2 * Window)) { (many, more) =>
        val writes = many.take(Window + more)
        assert(paceOf(few.take(Window - 1)).median.isEmpty)
        assert(paceOf(writes).median.contains(writes.takeRight(Window).sorted.apply(Window / 2)))
      }
    }
  }

  test("a large write counts per 64 KiB, a small one as a whole") {
    forAll(Gen.choose(1L, 1L << 30), nanos) { (bytes, nanos) =>
      val pace = new Pace()
      for (_ <- 1 to Window) pace.wrote(bytes, nanos)
      val units = (bytes + 65535) / 65536
      assert(pace.median.contains(nanos / units))
    }
  }

  test("a tier is slow against the next when it is so by the factor, and slow at all") {
    forAll(Gen.listOfN(Window, nanos), Gen.listOfN(Window, nanos)) { (ours, theirs) =>
      val (pace, next) = (paceOf(ours), paceOf(theirs))
      val Seq(mine, its) = Seq(pace, next).map(_.median.get)
      assert(isPassedOver(pace, next) == (mine > FloorNanos && mine / Factor > its))
    }
  }

  test("of two tiers, never each is slow against the other") {
    forAll(Gen.listOfN(Window, nanos), Gen.listOfN(Window, nanos)) { (some, others) =>
      val (one, other) = (paceOf(some), paceOf(others))
      assert(!(isPassedOver(one, other) && isPassedOver(other, one)))
    }
  }

  test("what is quick is never left to look at a tier that nobody knows; what isn't quick is") {
    forAll(Gen.listOfN(Window, nanos), Gen.listOf(nanos)) { (ours, theirs) =>
      val pace = paceOf(ours)
      val unknown = paceOf(theirs.take(Window - 1))
      assert(isPassedOver(pace, unknown) == (pace.median.get > FloorNanos))
      assert(pace.timesPassedOver == 0)
    }
  }

  test("a slow tier is passed over for 30 s, which is told once, and then has a new chance") {
    var time = 0L
    val slow = paceOf(Seq.fill(Window)(second), () => time)
    val quick = paceOf(Seq.fill(Window)(1L))
    var told = Seq.empty[(Long, Long)]
    def isPassed: Boolean = slow.isPassedOverFor(quick)((ours, theirs) => told :+= ours -> theirs)
    assert(isPassed && isPassed && told == Seq(second -> 1L))
    time = PassedOverSeconds * second - 1
    assert(isPassed)
    time += 1
    assert(!isPassed && slow.median.isEmpty)
    for (_ <- 1 until Window) slow.wrote(1, second)
    assert(!isPassed)
    slow.wrote(1, second)
    assert(isPassed && told.size == 2 && slow.timesPassedOver == 2)
  }
}
