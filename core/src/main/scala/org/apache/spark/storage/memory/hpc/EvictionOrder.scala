package org.apache.spark.storage.memory.hpc

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.{BlockId, RDDBlockId}
import org.sparkhpc.retain.RetentionPolicy

/** The blocks in memory, in the order in which a policy evicts them. Knows which of them are ready: the eviction of a
  * ready block needs no write.
  *
  * @param policy not evaluated before it is needed
  * @param hasCopy whether a block has a copy on disk
  * @param isInUse whether a task has locked a block
  */
private[storage] final class EvictionOrder(
    policy: => RetentionPolicy[BlockId],
    hasCopy: BlockId => Boolean,
    isInUse: BlockId => Boolean
) {
  private val residents = new Residents

  def isReady(blockId: BlockId): Boolean = residents.isReady(blockId)

  /** Records whether the block can be evicted without a write. */
  def setReady(blockId: BlockId, isReady: Boolean): Unit = residents.setReady(blockId, isReady)

  /** Marks ready blocks that have no copy on disk as not ready. */
  def recheckReady(): Unit =
    for (id <- residents.allReadyNow if !hasCopy(id)) residents.setReady(id, isReady = false)

  /** The bytes of all blocks except those of `rdd`. */
  def bytesBut(rdd: Option[Int], mode: MemoryMode): Long = residents.bytesBut(rdd, mode)

  /** The bytes of all ready blocks except those of `rdd`. */
  def readyBytes(rdd: Option[Int], mode: MemoryMode): Long = residents.readyBut(rdd, mode)

  /** The bytes of ready blocks that cannot be evicted now because tasks read them, except those of `rdd`. 0 if the
    * other ready blocks have `enough` bytes.
    */
  def readyInUse(rdd: Option[Int], mode: MemoryMode, enough: Long): Long = {
    val free = residents.readyBut(rdd, mode, enough)(!isInUse(_))
    if (free >= enough) 0 else math.max(0, readyBytes(rdd, mode) - free)
  }

  def added(blockId: BlockId, bytes: Long, mode: MemoryMode, asValues: Boolean): Unit = {
    val rdd = blockId.asRDDId.fold(-1)(_.rddId)
    residents.add(blockId, Resident(rdd, bytes, mode, asValues))
    if (hasCopy(blockId)) residents.setReady(blockId, isReady = true)
    policy.stored(blockId, bytes)
  }

  def used(blockId: BlockId): Unit = {
    policy.used(blockId)
    // A block without a copy was ready because it was not worth a write. After this use it may be.
    if (residents.isReady(blockId) && !hasCopy(blockId))
      residents.setReady(blockId, isReady = false)
  }

  def removed(blockId: BlockId): Unit = {
    policy.left(blockId)
    residents.remove(blockId)
  }

  def clear(): Unit = {
    policy.end()
    residents.clear()
  }

  /** Passes the blocks to `more`, in eviction order, until it returns false. Skips the blocks of the RDD `but`; often
    * these are all blocks, so this check comes first.
    */
  def walk(but: Option[Int])(more: (BlockId, Resident) => Boolean): Unit = {
    val spared = but.getOrElse(-1)
    policy.walk {
      case RDDBlockId(`spared`, _) => true
      case id =>
        val resident = residents.get(id)
        resident == null || more(id, resident)
    }
  }

  /** Whether the blocks that are droppable, but not ready, have fewer than `bytes` bytes. */
  def lackDroppable(mode: MemoryMode, bytes: Long, isDroppable: BlockId => Boolean): Boolean =
    bytes > 0 && {
      var found = 0L
      walk(None) { (id, resident) =>
        if (resident.mode == mode && !isReady(id) && isDroppable(id)) found += resident.bytes
        found < bytes
      }
      found < bytes
    }

  /** The next blocks to evict that are not ready, until they have `bytes` bytes together.
    *
    * @param rdd the RDD whose blocks are skipped
    */
  def nextVictims(
      mode: MemoryMode,
      bytes: Long,
      rdd: Option[Int],
      but: BlockId => Boolean
  ): Seq[(BlockId, Resident)] = {
    val victims = new ArrayBuffer[(BlockId, Resident)]
    var found = 0L
    walk(rdd) { (id, resident) =>
      if (resident.mode == mode && !isReady(id) && !but(id)) {
        victims += id -> resident
        found += resident.bytes
      }
      found < bytes
    }
    victims
  }
}
