package org.apache.spark.storage.memory.hpc

import org.apache.spark.storage.StorageLevel

/** The level of one block that its user wants in memory, and that may go to disk all the same.
  *
  * It is the user's level until the block belongs on disk; from then on it has `useDisk`, so that
  * Spark's own code writes the block there, finds it there and removes it from there. It never
  * leaves the process: what is serialized is a plain level.
  *
  * @param mayOverflow asked when the block turns out not to fit in memory while it is being put
  * @param isAlways whether the block is to be written even if it takes less to compute
  */
private[spark] final class SpillableLevel(
    user: StorageLevel,
    private var mayOverflow: () => Boolean,
    val isAlways: Boolean
) extends StorageLevel {
  @volatile private var onDisk = false

  /** Set when its copy on disk turned out to be none: the block is to be removed, not read. */
  @volatile var unreadable: Boolean = false

  /** Set while the driver doesn't know of the copy on disk, nor needs to: the block is in memory. */
  @volatile var isUntold: Boolean = false

  /** The block belongs on disk. */
  def toDisk(): Unit = onDisk = true

  /** The block doesn't fit in memory; afterwards it belongs on disk, if it may. */
  def overflow(): Unit = if (!onDisk && mayOverflow()) toDisk()

  /** The block was put. The level stays in memory as long as its block, and `mayOverflow` refers to the task that
    * computed the block and to the RDDs sent with that task: it is forgotten now.
    */
  def settle(): Unit = mayOverflow = () => false

  /** The block is no longer meant to be on disk. */
  def notOnDisk(): Unit = {
    onDisk = false
    isUntold = false
  }

  override def useDisk: Boolean = onDisk
  override def useMemory: Boolean = user.useMemory
  override def useOffHeap: Boolean = user.useOffHeap
  override def deserialized: Boolean = user.deserialized
  override def replication: Int = user.replication

  /** An ordinary level that says the same, now. */
  def plain: StorageLevel =
    StorageLevel(onDisk, useMemory, useOffHeap, deserialized, replication)

  override def toInt: Int = plain.toInt

  override def clone(): StorageLevel = plain

  protected def writeReplace(): AnyRef = plain
}
