package org.apache.spark.storage.hpc.patch

import java.util.concurrent.locks.Condition

import org.apache.spark.storage.{BlockInfo, BlockInfoWrapper}

/** Keeps the locks of blocks that were removed from being taken.
  *
  * Spark looks a block up and then waits for its lock. If the block is removed in between, Spark locks
  * what nobody has any more, and releases it on the next block of that name: that one's readers are
  * counted wrong for good, and each task that reads it fails.
  */
private[storage] object RemovedBlocks {

  // No task's number, nor one of those in BlockInfo.
  private val Removed = -3L

  /** In place of `info.writerTask = NO_WRITER` where a block is removed; its lock is held. */
  def release(info: BlockInfo, noWriter: Long): Unit =
    info.writerTask = if (noWriter == BlockInfo.NO_WRITER) Removed else noWriter

  /** In place of `wrapper.withLock(acquire)`: where the block was removed nothing is acquired, and
    * Spark looks it up again.
    */
  def withLock(
      wrapper: BlockInfoWrapper,
      acquire: (BlockInfo, Condition) => AnyRef
  ): AnyRef = wrapper.withLock { (info, condition) =>
    if (info.writerTask == Removed) None else acquire(info, condition)
  }
}
