package org.apache.spark.storage.memory.hpc

import scala.reflect.ClassTag

import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.BlockId

/** Tells a memory store how it may evict blocks, and makes room for it. */
private[storage] trait EvictionAdvice {

  /** Whether there are blocks that may be spilled; otherwise eviction is Spark's own. */
  def isSpilling: Boolean

  /** Whether the block would be written if it were evicted, as far as is known. */
  def couldSpill(blockId: BlockId): Boolean

  /** Whether the block has a copy on disk. Does not wait; neither does [[isDroppable]]. */
  def hasCopy(blockId: BlockId): Boolean

  /** Whether the block may be evicted even if it has no copy on disk. */
  def isDroppable(blockId: BlockId): Boolean

  /** Whether the eviction itself may write a block that is not droppable, as in Spark. False while the disk hangs. */
  def mayWriteNow: Boolean

  /** Runs `put`, which needs so many bytes for a block. If other blocks must be written to free these bytes, they are
    * written before, outside the memory manager's monitor.
    */
  def withRoom[A](newcomer: BlockId, bytes: Long, mode: MemoryMode)(put: => A): A

  /** Called when an eviction found too few ready blocks. `losing`: it evicts other blocks without a write. */
  def fellBehind(losing: Boolean): Unit

  /** Called when blocks have been put into memory or evicted from it. */
  def memoryChanged(): Unit

  /** The values; iteration fails at the first value of which a serializer would lose a part. */
  def checked[T](tag: ClassTag[_], values: Iterator[T]): Iterator[T]
}

private[storage] object EvictionAdvice {

  /** A block manager that gives such advice. */
  trait Advised {
    private[storage] def advice: EvictionAdvice
  }
}
