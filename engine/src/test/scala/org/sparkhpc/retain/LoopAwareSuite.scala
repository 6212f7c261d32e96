package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

class LoopAwareSuite extends AnyFunSuite {
  import Blocks._

  private def policy(maySpill: Boolean = true) =
    new LoopAware[Block](Names, new DiskSpeed(1.0, nanosPerBlock = 0), _ => maySpill)

  private def order(policy: RetentionPolicy[Block]): Seq[Int] = shown(policy).map(_.rdd)

  private def make(
      policy: LoopAware[Block],
      rdd: Int,
      nanos: Long = 1000000,
      bytes: Long = 100,
      reads: Seq[Int] = Nil
  ): Unit = {
    policy.requested(Block(rdd, 0), None)
    policy.stored(Block(rdd, 0), bytes)
    policy.computed(Block(rdd, 0), nanos, reads.map(Block(_, 0)))
  }

  private def read(policy: LoopAware[Block], rdd: Int, by: Option[Int] = None): Unit = {
    policy.requested(Block(rdd, 0), by.map(Block(_, 0)))
    policy.used(Block(rdd, 0))
  }

  /** Generations, each of which reads the one before, which then is unpersisted after the next one. */
  private def generations(policy: LoopAware[Block], count: Int, nanos: Long): Unit =
    for (rdd <- 1 to count) {
      policy.requested(Block(rdd, 0), None)
      if (rdd > 1) read(policy, rdd - 1, by = Some(rdd))
      policy.stored(Block(rdd, 0), 100)
      policy.computed(Block(rdd, 0), nanos, if (rdd == 1) Nil else Seq(Block(rdd - 1, 0)))
      if (rdd > 2) {
        policy.left(Block(rdd - 2, 0))
        policy.forgotten(rdd - 2)
      }
    }

  test("without an earlier iteration, the block that was used least recently leaves first") {
    val loop = policy()
    (1 to 3).foreach(make(loop, _))
    assert(order(loop) == Seq(1, 2, 3))
    loop.used(Block(1, 0))
    assert(order(loop) == Seq(2, 3, 1))
  }

  test("of what is read in a circle, what was read last leaves first: it is read again last") {
    val loop = policy()
    (1 to 4).foreach(make(loop, _))
    for (_ <- 1 to 3; rdd <- 1 to 4) read(loop, rdd)
    assert(order(loop) == Seq(4, 3, 2, 1))
    read(loop, 1)
    assert(order(loop) == Seq(1, 4, 3, 2))
  }

  test("a prediction that doesn't come true is forgotten") {
    val loop = policy()
    make(loop, 1)
    for (_ <- 1 to 3) read(loop, 1)
    make(loop, 2)
    for (_ <- 1 to 50) read(loop, 2)
    make(loop, 3)
    assert(order(loop).head == 1)
  }

  test("a generation that was read as often as those before leaves first, unwritten") {
    val loop = policy()
    generations(loop, 12, nanos = 60)
    // Two generations are there: the last one is still to be read, the one before has been.
    assert(order(loop) == Seq(11, 12))
    assert(!loop.isWorthWriting(Block(11, 0)))
    assert(!loop.isWorthReading(Block(11, 0)))
    assert(loop.isWorthWriting(Block(12, 0)))
    assert(loop.isWorthReading(Block(12, 0)))
  }

  test(
    "where losing it would be too dear it is written, and stays as long as it isn't unpersisted"
  ) {
    val loop = policy()
    generations(loop, 12, nanos = 1000000)
    assert(loop.isWorthWriting(Block(11, 0)))
    // Nothing is known of it, so that it is expected later than the end of the last generation but one.
    make(loop, 100)
    assert(order(loop).indexOf(11) > 0)
    // On disk it costs nothing.
    loop.written(Block(11, 0))
    assert(order(loop).head == 11)
  }

  test("what can't be written leaves in the order of its last use") {
    val loop = policy(maySpill = false)
    (1 to 4).foreach(make(loop, _))
    for (_ <- 1 to 3; rdd <- 1 to 4) read(loop, rdd)
    assert(order(loop) == Seq(1, 2, 3, 4))
  }

  test("what comes back from disk drives out only what is read later") {
    val loop = policy()
    (1 to 4).foreach(make(loop, _))
    for (_ <- 1 to 3; rdd <- 1 to 4) read(loop, rdd)
    loop.written(Block(2, 0))
    loop.left(Block(2, 0))
    assert(loop.isWorth(Block(2, 0), Seq(Block(4, 0), Block(3, 0))))
    assert(!loop.isWorth(Block(2, 0), Seq(Block(1, 0))))
  }

  test("a new block gets room, whatever is expected of the others") {
    val loop = policy()
    make(loop, 1)
    read(loop, 1)
    loop.requested(Block(2, 0), Some(Block(9, 0)))
    assert(loop.isWorth(Block(2, 0), Seq(Block(1, 0))))
  }

  test("what takes less to compute than to read isn't written, if that holds without its parents") {
    val loop = policy()
    make(loop, 1, nanos = 1000)
    make(loop, 2, nanos = 10, reads = Seq(1))
    make(loop, 3, nanos = 10)
    assert(loop.isWorthWriting(Block(1, 0)))
    assert(loop.isWorthWriting(Block(2, 0)))
    assert(!loop.isWorthWriting(Block(3, 0)))
    // Nobody saw it being computed.
    loop.stored(Block(4, 0), 100)
    assert(loop.isWorthWriting(Block(4, 0)))
  }

  test("a broadcast that is used stays") {
    val loop = policy()
    (1 to 3).foreach(make(loop, _))
    loop.stored(Block(-1, 0), 10)
    assert(order(loop) == Seq(1, 2, 3, -1))
  }
}
