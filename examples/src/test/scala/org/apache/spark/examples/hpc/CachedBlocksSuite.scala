package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.storage._
import org.apache.spark.storage.StorageLevel._

class CachedBlocksSuite extends AnyFunSuite {
  private val here = BlockManagerId("1", "here", 1)
  private val there = BlockManagerId("2", "there", 2)
  private val block = RDDBlockId(7, 3)

  private def after(events: (CachedBlocks => Unit)*): (Long, Long) = {
    val blocks = new CachedBlocks
    events.foreach(_(blocks))
    (blocks.dropped, blocks.spilled)
  }

  private def status(
      level: StorageLevel,
      id: BlockId = block,
      at: BlockManagerId = here
  ): CachedBlocks => Unit =
    _.update(BlockUpdatedInfo(at, id, level, 1, 1))

  test("a block that leaves memory was dropped, or spilled if it is on disk then") {
    assert(after(status(MEMORY_ONLY), status(NONE)) == ((1, 0)))
    assert(after(status(MEMORY_AND_DISK), status(DISK_ONLY)) == ((0, 1)))
  }

  test("each eviction counts once, and a block may come back") {
    assert(after(status(MEMORY_ONLY), status(NONE), status(NONE)) == ((1, 0)))
    assert(
      after(status(MEMORY_ONLY), status(NONE), status(MEMORY_ONLY), status(NONE)) == ((2, 0))
    )
  }

  test("a block that never was in memory isn't evicted") {
    assert(after(status(DISK_ONLY), status(NONE)) == ((0, 0)))
  }

  test("a block in two executors' memory is two blocks") {
    assert(after(status(MEMORY_ONLY), status(NONE, at = there)) == ((0, 0)))
  }

  test("broadcasts and shuffles aren't counted") {
    val broadcast = BroadcastBlockId(1)
    assert(after(status(MEMORY_AND_DISK, broadcast), status(NONE, broadcast)) == ((0, 0)))
  }

  test("neither unpersisting nor losing an executor is an eviction") {
    assert(after(status(MEMORY_ONLY), _.unpersisted(7), status(NONE)) == ((0, 0)))
    assert(after(status(MEMORY_ONLY), _.executorGone(here), status(NONE)) == ((0, 0)))
    assert(after(status(MEMORY_ONLY), _.unpersisted(8), status(NONE)) == ((1, 0)))
    assert(after(status(MEMORY_ONLY), _.executorGone(there), status(NONE)) == ((1, 0)))
  }
}
