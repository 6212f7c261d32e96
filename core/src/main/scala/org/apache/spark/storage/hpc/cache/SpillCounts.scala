package org.apache.spark.storage.hpc.cache

import com.codahale.metrics.{Counter, MetricRegistry}

/** Counts what happened to cached blocks that did not fit in memory, since this process started. */
private[spark] final class SpillCounts {

  /** Blocks written to disk instead of being dropped, and their bytes there. */
  val spilledBlocks, spilledBytes = new Counter

  /** Of these, the blocks that were written ahead of their eviction, and their bytes. */
  val copiedAheadBlocks, copiedAheadBytes = new Counter

  /** Evictions that found too few blocks written ahead, if blocks are written ahead. */
  val fellBehind = new Counter

  /** Spills that failed, so that the block was dropped or computed again. */
  val failedByDisk, failedByElements, failedByInterrupt = new Counter

  /** Spilled blocks that couldn't be read back. */
  val unreadableBlocks = new Counter

  /** Spilled blocks deleted because others needed the room, and their bytes. */
  val reclaimedBlocks, reclaimedBytes = new Counter

  def register(registry: MetricRegistry): Unit =
    Seq(
      "spilledBlocks" -> spilledBlocks,
      "spilledBytes" -> spilledBytes,
      "copiedAheadBlocks" -> copiedAheadBlocks,
      "copiedAheadBytes" -> copiedAheadBytes,
      "fellBehind" -> fellBehind,
      "spillsFailedByDisk" -> failedByDisk,
      "spillsFailedByElements" -> failedByElements,
      "spillsFailedByInterrupt" -> failedByInterrupt,
      "unreadableBlocks" -> unreadableBlocks,
      "reclaimedBlocks" -> reclaimedBlocks,
      "reclaimedBytes" -> reclaimedBytes
    ).foreach { case (name, counter) => registry.register(s"retention.$name", counter) }
}
