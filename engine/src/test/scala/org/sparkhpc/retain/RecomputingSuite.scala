package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

/** With a disk that takes a nanosecond for each byte, to write and to read. */
class RecomputingSuite extends AnyFunSuite {
  import Blocks._

  private val Bytes = 100000L

  private def observed(nanosPerBlock: Double = 0): Observed[Block] =
    new Observed(new Lru[Block], Names, new DiskSpeed(1.0, nanosPerBlock))

  private def put(order: Observed[Block], block: Block, nanos: Long, reads: Block*): Unit =
    put(order, block, Bytes, nanos, reads: _*)

  private def put(
      order: Observed[Block],
      block: Block,
      bytes: Long,
      nanos: Long,
      reads: Block*
  ): Unit = {
    order.requested(block, None)
    order.stored(block, bytes)
    order.computed(block, nanos, reads)
  }

  test("a block isn't written that takes less to compute than to write and to read") {
    val order = observed()
    put(order, Block(1, 0), 2 * Bytes - 1)
    put(order, Block(1, 1), 2 * Bytes + 1)
    assert(!order.isWorthWriting(Block(1, 0)) && order.isWorthWriting(Block(1, 1)))
  }

  test("of a block of which nothing is known it is taken to be dear") {
    assert(observed().isWorthWriting(Block(1, 0)))
  }

  test("one that was asked for often is written once and read as often") {
    val order = observed()
    put(order, Block(1, 0), Bytes + Bytes / 2)
    assert(!order.isWorthWriting(Block(1, 0)))
    for (_ <- 1 to 9) order.requested(Block(1, 0), None)
    assert(order.isWorthWriting(Block(1, 0)))
  }

  test("what it is computed from counts, at worst: with each generation it gets dearer") {
    val order = observed()
    put(order, Block(1, 0), Bytes / 4)
    for (rdd <- 2 to 8) put(order, Block(rdd, 0), Bytes / 4, Block(rdd - 1, 0), Block(rdd - 1, 0))
    // 1/4, 3/4, 7/4, 15/4 ... of its bytes, though what it reads is in memory.
    assert((1 to 8).map(rdd => order.isWorthWriting(Block(rdd, 0))) == Seq.tabulate(8)(_ >= 3))
  }

  test("while it is computed, others of its RDD tell, or else what it took so far") {
    val order = observed()
    val cheap = SoFar[Block](1000, Bytes, Nil)
    val dear = SoFar[Block](10 * Bytes, Bytes, Nil)
    assert(!order.isWorthWriting(Block(1, 0), cheap) && order.isWorthWriting(Block(1, 0), dear))
    // Too few bytes say nothing.
    assert(order.isWorthWriting(Block(1, 0), SoFar[Block](1, 1000, Nil)))
    put(order, Block(1, 1), 10 * Bytes)
    assert(order.isWorthWriting(Block(1, 0), cheap))
    // And what it reads, at its worst.
    put(order, Block(2, 0), 5 * Bytes)
    assert(order.isWorthWriting(Block(3, 0), SoFar(1000, Bytes, Seq(Block(2, 0)))))
  }

  test("small blocks that take less to compute than a file to write and to read aren't written") {
    val order = observed(nanosPerBlock = 1000)
    for (partition <- 0 until 100) put(order, Block(1, partition), 10, nanos = 1900)
    for (partition <- 0 until 100) put(order, Block(2, partition), 10, nanos = 2100)
    assert(!order.isWorthWriting(Block(1, 0)) && order.isWorthWriting(Block(2, 0)))
    // By those that are in memory.
    val whole = SoFar[Block](0, 10, Nil, isWhole = true)
    assert(!order.isWorthWriting(Block(1, 100), whole) && order.isWorthWriting(
      Block(2, 100),
      whole
    ))
    // The first of its RDD that doesn't fit, of which all is known.
    assert(!order.isWorthWriting(Block(3, 0), SoFar[Block](1900, 10, Nil, isWhole = true)))
    assert(order.isWorthWriting(Block(3, 0), SoFar[Block](2100, 10, Nil, isWhole = true)))
  }
}
