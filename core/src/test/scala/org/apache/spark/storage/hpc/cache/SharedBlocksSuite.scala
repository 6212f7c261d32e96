package org.apache.spark.storage.hpc.cache

import org.apache.spark.storage.RDDBlockId
import org.apache.spark.storage.hpc.disk.BlockChecksums
import org.scalatest.funsuite.AnyFunSuite

class SharedBlocksSuite extends AnyFunSuite {

  private def block(rdd: Int, part: Int, executor: String, length: Long = 1) = SharedBlock(
    RDDBlockId(rdd, part),
    executor,
    s"/tier/$executor/rdd_${rdd}_$part",
    BlockChecksums.Content(0, length)
  )

  test("a block is where each executor wrote it last, until that one says that it is gone") {
    val blocks = new ListedSharedBlocks
    val Seq(first, again, other) = Seq(block(1, 0, "a"), block(1, 0, "a", 2), block(1, 0, "b"))
    Seq(first, other, again).foreach(blocks.add)
    assert(blocks.of(first.blockId).toSet == Set(again, other))
    blocks.remove(first.blockId, "a")
    assert(blocks.of(first.blockId) == Seq(other))
    blocks.remove(first.blockId, "b")
    assert(blocks.of(first.blockId).isEmpty)
  }

  test("an RDD's blocks are forgotten together, and others' aren't") {
    val blocks = new ListedSharedBlocks
    val (ours, others) = (Seq(block(1, 0, "a"), block(1, 1, "b")), block(11, 0, "a"))
    (ours :+ others).foreach(blocks.add)
    assert(blocks.forget(1).toSet == ours.toSet)
    assert(blocks.of(ours.head.blockId).isEmpty && blocks.of(others.blockId) == Seq(others))
    assert(blocks.forget(1).isEmpty)
  }
}
