package org.apache.spark.examples.hpc

import scala.collection.mutable

import org.apache.spark.storage.{BlockManagerId, BlockUpdatedInfo, RDDBlockId}

/** Which blocks of RDDs are in which executor's memory, and how many had to leave it.
  *
  * A block that was in memory and is reported without memory was evicted: dropped, or spilled if
  * it is on disk then. A block that never fitted wasn't evicted, nor was one whose RDD was
  * unpersisted or whose executor is gone: neither is reported block by block.
  */
final class CachedBlocks {
  private val inMemory = mutable.Set.empty[(BlockManagerId, RDDBlockId)]
  private var droppedSoFar = 0L
  private var spilledSoFar = 0L

  def dropped: Long = droppedSoFar
  def spilled: Long = spilledSoFar

  def update(status: BlockUpdatedInfo): Unit = status.blockId match {
    case block: RDDBlockId =>
      val entry = (status.blockManagerId, block)
      if (status.storageLevel.useMemory) {
        inMemory += entry
      } else if (inMemory.remove(entry)) {
        if (status.storageLevel.useDisk) spilledSoFar += 1 else droppedSoFar += 1
      }
    case _ =>
  }

  def unpersisted(rddId: Int): Unit = inMemory.retain(_._2.rddId != rddId)

  def executorGone(executor: BlockManagerId): Unit = inMemory.retain(_._1 != executor)
}
