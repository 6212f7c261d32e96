package org.apache.spark.storage.memory.hpc

import org.apache.spark.storage.StorageLevel

/** The storage level of one block that its user wants in memory only, and that may be spilled to disk.
  *
  * It equals the user's level until the block is to be on disk. From then on `useDisk` is true, so that Spark's own
  * code writes the block to disk, finds it there and removes it. The level never leaves the process: it is serialized
  * as a plain level.
  *
  * @param mayOverflow whether the block may go to disk; called if it does not fit in memory while it is being put
  * @param isAlways whether the block is to be written even if it takes less to compute
  */
private[spark] final class SpillableLevel(
    user: StorageLevel,
    private var mayOverflow: () => Boolean,
    val isAlways: Boolean
) extends StorageLevel {
  @volatile private var onDisk = false

  /** Set when the copy on disk cannot be used: the block is to be removed, not read. */
  @volatile var unreadable: Boolean = false

  /** Set while the driver does not know of the copy on disk. It need not know while the block is in memory. */
  @volatile var isUntold: Boolean = false

  /** Called when the block is to be on disk. */
  def toDisk(): Unit = onDisk = true

  /** Called when the block does not fit in memory: it is to be on disk, if it may. */
  def overflow(): Unit = if (!onDisk && mayOverflow()) toDisk()

  /** Called when the block was put. Drops `mayOverflow`, which refers to the task that computed the block and to the
    * RDDs sent with that task: the level stays in memory as long as its block.
    */
  def settle(): Unit = mayOverflow = () => false

  /** Called when the block is no longer to be on disk. */
  def notOnDisk(): Unit = {
    onDisk = false
    isUntold = false
  }

  override def useDisk: Boolean = onDisk
  override def useMemory: Boolean = user.useMemory
  override def useOffHeap: Boolean = user.useOffHeap
  override def deserialized: Boolean = user.deserialized
  override def replication: Int = user.replication

  /** An ordinary level with the current values. */
  def plain: StorageLevel =
    StorageLevel(onDisk, useMemory, useOffHeap, deserialized, replication)

  override def toInt: Int = plain.toInt

  override def clone(): StorageLevel = plain

  protected def writeReplace(): AnyRef = plain
}
