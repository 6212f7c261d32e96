package org.apache.spark.storage.hpc.cache

import java.util.LinkedHashSet
import java.util.concurrent.locks.ReentrantLock

import scala.collection.JavaConverters._

import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.storage.{
  BlockId,
  BlockInfo,
  BlockManager,
  BlockStatus,
  RDDBlockId,
  StorageLevel
}
import org.apache.spark.storage.hpc.scratch.{HpcDiskBlockManager, RoomGiver}
import org.apache.spark.storage.memory.hpc.SpillableLevel
import org.sparkhpc.tier.{MemoryShare, ScratchRoom, Tier}

/** The spilled blocks, oldest first. Deletes them when other files need the space. */
private[storage] final class SpilledBlocks(
    manager: BlockManager,
    counts: SpillCounts,
    rdds: RddCounts,
    share: Option[MemoryShare]
) extends RoomGiver
    with Logging {
  private val room =
    new ScratchRoom(manager.diskBlockManager.localDirs, manager.conf.get(Hpc.RETENTION_RESERVE))

  // Blocks that Spark has removed stay in this set until they are polled or their RDD is forgotten.
  private val oldestFirst = new LinkedHashSet[RDDBlockId]
  private val reclaiming = new ReentrantLock

  private val tiers = HpcDiskBlockManager.of(manager.diskBlockManager).flatMap(_.tiers)

  /** The block was written to disk. */
  def add(blockId: RDDBlockId): Unit =
    if (oldestFirst.synchronized(oldestFirst.add(blockId))) {
      val bytes = manager.diskStore.getSize(blockId)
      if (isAtHome(blockId)) room.took(bytes)
      counts.spilledBlocks.inc()
      counts.spilledBytes.inc(bytes)
      rdds.written(blockId, bytes)
    }

  def forget(rdd: Int): Unit = oldestFirst.synchronized(oldestFirst.removeIf(_.rddId == rdd))

  private def isEmpty: Boolean = oldestFirst.synchronized(oldestFirst.isEmpty)

  private def poll(which: RDDBlockId => Boolean): Option[RDDBlockId] = oldestFirst.synchronized {
    val oldest = oldestFirst.asScala.find(which)
    oldest.foreach(oldestFirst.remove(_))
    oldest
  }

  private def isAtHome(blockId: BlockId): Boolean = tiers.forall(_.isAtHome(blockId.name))

  /** Whether a tier may take a block that Spark would drop. The home tier may not if its reserve is touched. */
  def mayTake(tier: Tier): Boolean = !isHome(tier) || room.left > 0

  private def isHome(tier: Tier): Boolean = tiers.exists(_.home == tier)

  def hasRoom: Boolean =
    tiers.fold(hasShare && room.left > 0)(_.all.exists(tier => mayTake(tier) && tier.hasRoom))

  /** Whether [[hasRoom]] is known without a request. */
  def knowsRoom: Boolean = room.isKnown && tiers.forall(_.all.forall(_.knowsRoom))

  private def hasShare: Boolean = share.forall(_.hasRoom)

  /** The last known value of [[hasRoom]], without a file-system request. */
  def hadRoom: Boolean = {
    val homeHad = hasShare && room.lastKnown.forall(_ > 0)
    tiers.fold(homeHad)(_.all.exists(tier => tier.hadRoom && (homeHad || !isHome(tier))))
  }

  /** Deletes the oldest blocks in Spark's local directories until the reserve is free again. */
  override def giveRoom(): Unit =
    if (!isEmpty && room.left < 0 && reclaiming.tryLock()) {
      try reclaimOldest(-room.ask(), isAtHome)
      finally reclaiming.unlock()
    }

  /** Deletes the oldest blocks, wherever they are; false if there are none. */
  override def giveRoom(bytes: Long): Boolean = reclaimOldest(bytes, _ => true) > 0

  private def reclaimOldest(needed: Long, which: RDDBlockId => Boolean): Long = {
    var freed = 0L
    var isMore = true
    while (freed < needed && isMore) {
      val oldest = poll(which)
      isMore = oldest.nonEmpty
      freed += oldest.fold(0L)(reclaim(_))
    }
    freed
  }

  private def reclaim(blockId: RDDBlockId): Long = {
    val bytes = manager.diskStore.getSize(blockId)
    if (bytes > 0 && discardFromDisk(blockId)) {
      counts.reclaimedBlocks.inc()
      counts.reclaimedBytes.inc(bytes)
      logInfo(s"Deleted spilled block $blockId, $bytes bytes, to make room for scratch files")
      bytes
    } else {
      0
    }
  }

  /** Removes a block from memory and disk unless it is in use; true if the block is gone. */
  def discard(blockId: BlockId): Boolean = withWriteLock(blockId) { info =>
    val status = statusOf(blockId, info)
    manager.memoryStore.remove(blockId)
    manager.diskStore.remove(blockId)
    forget(blockId, info, status)
  }

  /** Removes a block's copy on disk, and the block itself if that was its only copy. */
  private def discardFromDisk(blockId: BlockId): Boolean = withWriteLock(blockId) { info =>
    val before = statusOf(blockId, info)
    manager.diskStore.remove(blockId)
    info.level match {
      case level: SpillableLevel if before.memSize > 0 =>
        val wasTold = !level.isUntold
        level.notOnDisk()
        if (wasTold) manager.reportBlockStatus(blockId, statusOf(blockId, info))
        manager.blockInfoManager.unlock(blockId)
      case _ => forget(blockId, info, before)
    }
  }

  private def withWriteLock(blockId: BlockId)(remove: BlockInfo => Unit): Boolean =
    manager.blockInfoManager.lockForWriting(blockId, blocking = false) match {
      case Some(info) =>
        remove(info)
        true
      case None => manager.blockInfoManager.get(blockId).isEmpty
    }

  private def forget(blockId: BlockId, info: BlockInfo, before: BlockStatus): Unit = {
    manager.blockInfoManager.removeBlock(blockId)
    // A level without replicas tells the master that the block was removed.
    val removed = StorageLevel(before.storageLevel.toInt, 0)
    if (info.tellMaster) manager.reportBlockStatus(blockId, before.copy(storageLevel = removed))
  }

  private def statusOf(blockId: BlockId, info: BlockInfo): BlockStatus = {
    val inMemory = manager.memoryStore.contains(blockId)
    val onDisk = info.level.useDisk && manager.diskStore.contains(blockId)
    val level = StorageLevel(
      useDisk = onDisk,
      useMemory = inMemory,
      useOffHeap = info.level.useOffHeap,
      deserialized = inMemory && info.level.deserialized,
      replication = info.level.replication
    )
    BlockStatus(
      level,
      memSize = if (inMemory) manager.memoryStore.getSize(blockId) else 0,
      diskSize = if (onDisk) manager.diskStore.getSize(blockId) else 0
    )
  }
}
