package org.apache.spark.storage.memory

import org.apache.spark.storage.BlockId

/** What an eviction has to know about blocks. It is asked under the memory manager's monitor, so
  * none of this may wait for a file system.
  */
private[storage] trait EvictionAdvice {

  /** Whether there are blocks that are spilled; otherwise eviction is Spark's own. */
  def isSpilling: Boolean

  /** Whether the block would be written if it were evicted, as far as is known. */
  def couldSpill(blockId: BlockId): Boolean

  /** Whether evicting the block now would mean to write it, or to lose what could have been written. */
  def isUnwritten(blockId: BlockId): Boolean

  /** Whether the block may be evicted without being written. */
  def isDroppable(blockId: BlockId): Boolean

  /** Whether an eviction may write. */
  def mayWrite: Boolean

  /** There were too few victims that need no writing; `losing`: others have to go, unwritten. */
  def fellBehind(losing: Boolean): Unit

  /** Memory was given to blocks or taken from them. */
  def memoryChanged(): Unit
}
