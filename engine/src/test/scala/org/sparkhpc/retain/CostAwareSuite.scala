package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

class CostAwareSuite extends AnyFunSuite {
  import Blocks._

  private def policy(maySpill: Boolean) =
    new CostAware[Block](Names, new DiskSpeed(1.0, nanosPerBlock = 0), _ => maySpill)

  private def order(policy: RetentionPolicy[Block]): Seq[Int] = shown(policy).map(_.rdd)

  private def make(
      policy: CostAware[Block],
      rdd: Int,
      nanos: Long,
      bytes: Long = 100,
      reads: Seq[Int] = Nil
  ): Unit = {
    policy.requested(Block(rdd, 0), None)
    policy.stored(Block(rdd, 0), bytes)
    policy.computed(Block(rdd, 0), nanos, reads.map(Block(_, 0)))
  }

  private def evict(policy: CostAware[Block], rdd: Int): Unit = {
    policy.evicted(Block(rdd, 0))
    policy.left(Block(rdd, 0))
  }

  test("what is cheap to compute, for its size, leaves first") {
    val costs = policy(maySpill = false)
    make(costs, 1, nanos = 500)
    make(costs, 2, nanos = 50)
    make(costs, 3, nanos = 800, bytes = 1000)
    assert(order(costs) == Seq(2, 3, 1))
  }

  test("with a disk nothing is worth more than writing and reading it") {
    val costs = policy(maySpill = true)
    make(costs, 1, nanos = 1000000)
    make(costs, 2, nanos = 1000)
    make(costs, 3, nanos = 20)
    assert(order(costs) == Seq(3, 1, 2))
  }

  test("what is on disk already leaves before what would have to be written") {
    val costs = policy(maySpill = true)
    (1 to 3).foreach(make(costs, _, nanos = 1000000))
    costs.written(Block(3, 0))
    assert(order(costs) == Seq(3, 1, 2))
    costs.erased(Block(3, 0))
    assert(order(costs) == Seq(1, 2, 3))
  }

  test("when what it was computed from goes, a block is worth more") {
    val costs = policy(maySpill = false)
    make(costs, 1, nanos = 1000)
    make(costs, 2, nanos = 10, reads = Seq(1))
    make(costs, 3, nanos = 100)
    assert(order(costs) == Seq(2, 3, 1))
    evict(costs, 1)
    assert(order(costs) == Seq(3, 2))
    make(costs, 1, nanos = 1000)
    assert(order(costs).head == 2)
    costs.left(Block(1, 0))
    costs.forgotten(1)
    assert(order(costs) == Seq(3, 2))
  }

  test("what is asked for more often is worth more, and even that gets old") {
    val costs = policy(maySpill = false)
    make(costs, 1, nanos = 100)
    (1 to 4).foreach(_ => costs.requested(Block(1, 0), None))
    costs.used(Block(1, 0))
    make(costs, 2, nanos = 100)
    assert(order(costs) == Seq(2, 1))
    for (rdd <- 3 to 20) {
      make(costs, rdd, nanos = 100)
      evict(costs, order(costs).head)
    }
    assert(!order(costs).contains(1))
  }

  test("what comes back, or is made only for another, doesn't drive out what is worth as much") {
    val costs = policy(maySpill = true)
    (1 to 3).foreach(make(costs, _, nanos = 1000))
    costs.written(Block(3, 0))
    evict(costs, 3)
    (1 to 2).foreach(rdd => costs.used(Block(rdd, 0)))
    assert(!costs.isWorthReading(Block(3, 0), room = 0))
    assert(costs.isWorthReading(Block(3, 0), room = 100))
    // Asked for so often, it is.
    (1 to 10).foreach(_ => costs.requested(Block(3, 0), None))
    assert(costs.isWorthReading(Block(3, 0), room = 0))

    val recovered = policy(maySpill = false)
    (1 to 3).foreach(make(recovered, _, nanos = 1000))
    evict(recovered, 1)
    for (block <- Seq(Block(2, 0), Block(3, 0))) {
      recovered.requested(block, None)
      recovered.used(block)
    }
    recovered.requested(Block(1, 0), Some(Block(9, 0)))
    assert(!recovered.isWorth(Block(1, 0), Seq(Block(2, 0), Block(3, 0))))
    recovered.requested(Block(1, 0), None)
    assert(recovered.isWorth(Block(1, 0), Seq(Block(2, 0))))
  }

  test("a new block gets room, whatever the others are worth") {
    val costs = policy(maySpill = true)
    make(costs, 1, nanos = 1000000)
    costs.requested(Block(2, 0), Some(Block(9, 0)))
    assert(costs.isWorth(Block(2, 0), Seq(Block(1, 0))))
  }

  test("what takes less to compute than to read isn't written, if that holds without its parents") {
    val costs = policy(maySpill = true)
    make(costs, 1, nanos = 1000)
    make(costs, 2, nanos = 10, reads = Seq(1))
    make(costs, 3, nanos = 10)
    assert(costs.isWorthWriting(Block(1, 0)))
    assert(costs.isWorthWriting(Block(2, 0)))
    assert(!costs.isWorthWriting(Block(3, 0)))
    // Nobody saw it being computed.
    costs.stored(Block(4, 0), 100)
    assert(costs.isWorthWriting(Block(4, 0)))
  }

  private def generations(nanos: Long): CostAware[Block] = {
    val costs = policy(maySpill = true)
    for (rdd <- 1 to 12) {
      if (rdd > 1) costs.requested(Block(rdd - 1, 0), Some(Block(rdd, 0)))
      make(costs, rdd, nanos, reads = if (rdd == 1) Nil else Seq(rdd - 1))
      if (rdd > 2) {
        costs.left(Block(rdd - 2, 0))
        costs.forgotten(rdd - 2)
      }
    }
    costs
  }

  test("generations of a loop: what was read as often as those before is dropped, not written") {
    val costs = generations(nanos = 60)
    // Two generations are there: the last one is still to be read, the one before has been.
    assert(costs.isWorthWriting(Block(12, 0)))
    assert(!costs.isWorthWriting(Block(11, 0)))
    // It might be asked for once more. Where that is dear, it is written.
    val dear = generations(nanos = 1000000)
    assert(dear.isWorthWriting(Block(11, 0)))
  }

  test("what running jobs will read stays before what they won't") {
    val costs = policy(maySpill = true)
    (1 to 3).foreach(make(costs, _, nanos = 1000000))
    costs.referenced(Map(1 -> 2))
    assert(order(costs) == Seq(2, 3, 1))
    costs.referenced(Map(2 -> 1, 3 -> 1))
    assert(order(costs) == Seq(1, 2, 3))
  }
}
