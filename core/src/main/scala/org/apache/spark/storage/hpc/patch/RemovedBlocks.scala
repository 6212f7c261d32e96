package org.apache.spark.storage.hpc.patch

import java.util.concurrent.locks.Condition

import org.apache.spark.storage.{BlockInfo, BlockInfoWrapper}

/** Prevents threads from acquiring the lock of a removed block.
  *
  * Spark looks a block up and then waits for its lock. If the block is removed in between, Spark acquires the lock of
  * the removed block, but later releases the lock of the next block with the same name. From then on that block's count
  * of readers is wrong, and each task that reads the block fails.
  */
private[storage] object RemovedBlocks {

  // Neither the id of a task nor a constant of BlockInfo.
  private val Removed = -3L

  /** Replaces `info.writerTask = NO_WRITER` where Spark removes a block, whose lock it holds. */
  def release(info: BlockInfo, noWriter: Long): Unit =
    info.writerTask = if (noWriter == BlockInfo.NO_WRITER) Removed else noWriter

  /** Replaces `wrapper.withLock(acquire)`: if the block was removed, nothing is acquired, and Spark looks the block up
    * again.
    */
  def withLock(
      wrapper: BlockInfoWrapper,
      acquire: (BlockInfo, Condition) => AnyRef
  ): AnyRef = wrapper.withLock { (info, condition) =>
    if (info.writerTask == Removed) None else acquire(info, condition)
  }
}
