package org.apache.spark.storage.hpc.disk

import org.apache.spark.storage.BlockId
import org.sparkhpc.tier.{MemoryShare, StallListener, Tier}

/** The owner of the blocks in a disk store, which the store asks and notifies. All methods are thread-safe. */
private[storage] trait DiskStoreClient extends StallListener {

  /** Whether a request to the disk may hang; false only if files are in the node's memory. */
  def mayHang: Boolean

  /** Whether the calling thread may wait for the file system, which may be a slow one. */
  def mayWait: Boolean

  /** Whether the block is written although its user's storage level has no disk. */
  def isUnasked(blockId: BlockId): Boolean

  /** Whether the block may be written to the tier now. */
  def mayUse(blockId: BlockId, tier: Tier): Boolean

  /** The share of the node's memory that the block's bytes are charged to; None if they are not limited. */
  def shareOf(blockId: BlockId): Option[MemoryShare]

  /** The block has been written. */
  def written(blockId: BlockId): Unit

  /** The block is no longer on disk. */
  def erased(blockId: BlockId): Unit
}

private[storage] object DiskStoreClient {

  /** No owner: each block is one that Spark itself put on disk. */
  object Nobody extends DiskStoreClient {
    override def mayHang: Boolean = true
    override def mayWait: Boolean = true
    override def isUnasked(blockId: BlockId): Boolean = false
    override def mayUse(blockId: BlockId, tier: Tier): Boolean = true
    override def shareOf(blockId: BlockId): Option[MemoryShare] = None
    override def written(blockId: BlockId): Unit = ()
    override def erased(blockId: BlockId): Unit = ()
  }
}
