package org.apache.spark.storage.memory.hpc

import scala.reflect.ClassTag

import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.BlockId

/** What a memory store that spills has to know about blocks, and ask for. */
private[storage] trait EvictionAdvice {

  /** Whether there are blocks that are spilled; otherwise eviction is Spark's own. */
  def isSpilling: Boolean

  /** Whether the block would be written if it were evicted, as far as is known. */
  def couldSpill(blockId: BlockId): Boolean

  /** Whether there is a copy of the block on disk. Waits for nothing, as the next. */
  def hasCopy(blockId: BlockId): Boolean

  /** Whether a block without a copy on disk may be evicted all the same. */
  def isDroppable(blockId: BlockId): Boolean

  /** Whether a block that isn't droppable may be written by the eviction itself, as in Spark: not to a disk
    * that hangs.
    */
  def mayWriteNow: Boolean

  /** Runs `put`, which needs so many bytes for a block; blocks that would have to be written for it are
    * written before, outside the memory manager's monitor.
    */
  def withRoom[A](newcomer: BlockId, bytes: Long, mode: MemoryMode)(put: => A): A

  /** There were too few victims that need no writing; `losing`: others have to go, unwritten. */
  def fellBehind(losing: Boolean): Unit

  /** Memory was given to blocks or taken from them. */
  def memoryChanged(): Unit

  /** The values, which fail at the first of which a serializer would lose something. */
  def checked[T](tag: ClassTag[_], values: Iterator[T]): Iterator[T]
}
