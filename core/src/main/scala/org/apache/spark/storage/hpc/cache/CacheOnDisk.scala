package org.apache.spark.storage.hpc.cache

import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.storage.BlockId
import org.apache.spark.storage.hpc.disk.DiskStoreClient
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.sparkhpc.tier.{DiskRequests, MemoryShare, Tier}

/** Tells the disk store how it may write cached blocks, and records which blocks it has written.
  *
  * If the disk that cached blocks are spilled to hangs, jobs that never asked for a disk continue:
  *
  *  1. Nothing is spilled: blocks are dropped, as in stock Spark.
  *  1. Neither heartbeats nor the driver's requests wait for the disk.
  *  1. One warning reports the stall, and one line its end.
  */
private[storage] final class CacheOnDisk(
    context: CacheContext,
    shared: SharedReads,
    ahead: CopyAhead
) extends DiskStoreClient
    with Logging {
  import context.{inMemory, isSpilling, levelOf, onDisk, place, policy}

  private val isTiered =
    HpcDiskBlockManager.of(context.manager.diskBlockManager).exists(_.tiers.nonEmpty)

  override val mayHang: Boolean = place.mayHang || isTiered

  override def mayWait: Boolean = !inMemory.isMonitorHeld && !onDisk.isStalled

  override def isUnasked(blockId: BlockId): Boolean = levelOf(blockId).nonEmpty

  override def mayUse(blockId: BlockId, tier: Tier): Boolean =
    !isUnasked(blockId) || context.spilled.mayTake(tier)

  override def shareOf(blockId: BlockId): Option[MemoryShare] =
    levelOf(blockId).flatMap(_ => context.share)

  override def written(blockId: BlockId): Unit = {
    policy.written(blockId)
    inMemory.order.setReady(blockId, isReady = true)
    shared.share(blockId)
  }

  override def erased(blockId: BlockId): Unit = {
    policy.erased(blockId)
    inMemory.order.setReady(blockId, isReady = false)
    context.share.foreach(_.giveBack(blockId.name))
    shared.unshare(blockId)
  }

  override def stalled(): Unit = if (isSpilling) {
    logWarning(
      s"Cached blocks are dropped from memory, not spilled, since ${place.describe} hasn't answered a " +
        s"request for ${DiskRequests.StallSeconds} s. As in stock Spark, dropped blocks are computed " +
        "again when they are needed. Blocks that were spilled before are read, and spilling goes on, " +
        "when the disk answers. Check the disk or the file system's servers (dmesg, iostat -x), or set " +
        s"spark.local.dir or ${Hpc.SCRATCH.key} to another place."
    )
  }

  override def answered(): Unit = if (isSpilling) {
    logInfo(s"${place.describe} answers again: cached blocks are spilled again")
    inMemory.order.recheckReady()
    ahead.wake()
  }
}
