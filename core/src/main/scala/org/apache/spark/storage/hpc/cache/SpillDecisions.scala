package org.apache.spark.storage.hpc.cache

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.storage.{BlockId, RDDBlockId, StorageLevel}
import org.apache.spark.storage.hpc.disk.{Causes, DiskHangs, DiskTrouble}
import org.apache.spark.storage.memory.hpc.SpillableLevel
import org.apache.spark.util.Utils
import org.sparkhpc.retain.SpillRules

/** Decides which cached blocks may be written to disk, and records each block that was written or could not be written.
  */
private[storage] final class SpillDecisions(context: CacheContext) extends Logging {
  import context.{onDisk, place, policy, rules, spilled}

  private lazy val ofApplication = context.conf.get(Hpc.RETENTION_SPILL)

  /** The share of the memory that must be available at once; 0 if no background thread frees memory. */
  lazy val freeShare: Double = {
    val unlessSet = if (place.isOfThisNode) 0.0 else CopyAhead.DefaultShare
    context.conf.get(Hpc.RETENTION_COPY_AHEAD).getOrElse(unlessSet)
  }

  private def canSpill = place.isOfThisNode || freeShare > 0

  /** The value of `spark.hpc.retention.spill` for blocks that this thread puts: `auto`, `always` or `never`. */
  def spillOf(level: StorageLevel): String =
    if (level.useMemory && !level.useDisk && canSpill) ofJob.getOrElse(ofApplication) else "never"

  private def ofJob: Option[String] =
    for {
      task <- Option(TaskContext.get())
      value <- Option(task.getLocalProperty(Hpc.RETENTION_SPILL.key))
    } yield Hpc.RETENTION_SPILL.valueConverter(value)

  /** Whether the block may be written now. */
  def maySpill(blockId: RDDBlockId): Boolean =
    rules.maySpill(blockId.rddId) && !onDisk.isStalled && hasRoom

  private def hasRoom =
    if (spilled.knowsRoom) spilled.hasRoom
    else onDisk.disk.ask(spilled.hasRoom).getOrElse(false)

  /** Whether a block in memory may be written ahead of its eviction; its read lock is held. */
  def mayCopy(blockId: BlockId, level: StorageLevel): Boolean = (blockId, level) match {
    case (rddBlock: RDDBlockId, level: SpillableLevel) => !level.useDisk && maySpill(rddBlock)
    case _ => level.useDisk && !rules.isPaused
  }

  /** Whether the block would be written if it were evicted, as far as is known. */
  def couldSpill(blockId: BlockId): Boolean = context.infoOf(blockId).map(_.level).exists {
    case _: SpillableLevel => isSpillableRdd(blockId)
    case level => level.useDisk
  }

  /** Whether the block has no copy on disk, is worth a write and can be written now. */
  def isUnwritten(blockId: BlockId): Boolean = context.infoOf(blockId).map(_.level).exists {
    case level: SpillableLevel =>
      !level.useDisk && isSpillableRdd(blockId) &&
      (level.isAlways || policy.isWorthWriting(blockId)) && spilled.hadRoom && !onDisk.isStalled
    case level => level.useDisk && !onDisk.wrote(blockId)
  }

  private def isSpillableRdd(blockId: BlockId) =
    blockId.asRDDId.exists(id => rules.maySpill(id.rddId))

  /** Called when the block was written ahead of its eviction; its read lock is held. The driver is told when the block
    * is evicted: before that, Spark's page would count its bytes on disk twice.
    */
  def copied(blockId: BlockId, level: StorageLevel): Unit = {
    (blockId, level) match {
      case (rddBlock: RDDBlockId, level: SpillableLevel) =>
        level.isUntold = true
        level.toDisk()
        spilled.add(rddBlock)
      case _ => // Spark's own
    }
    context.counts.copiedAheadBlocks.inc()
    context.counts.copiedAheadBytes.inc(onDisk.getSize(blockId))
  }

  /** Called when the block could not be written. */
  def failed(blockId: BlockId, failure: Throwable): Unit =
    if (Causes.isInterrupt(failure)) {
      context.counts.failedByInterrupt.inc()
    } else if (DiskHangs.isIn(failure)) {
      context.counts.failedByDisk.inc() // [[CacheOnDisk]] warns of the stall
    } else if (DiskTrouble.isIn(failure)) {
      context.counts.failedByDisk.inc()
      if (rules.pause()) {
        logWarning(
          s"Cached blocks are dropped from memory, not spilled, for ${SpillRules.PauseSeconds} s: " +
            s"cannot write $blockId to ${place.describe}: $failure"
        )
      }
    } else {
      context.elements.failed(blockId, failure)
    }

  /** What becomes of blocks that don't fit in memory, for the log. */
  def describe: String =
    if (ofApplication == "never") {
      s"Cached blocks that don't fit in memory are dropped: ${Hpc.RETENTION_SPILL.key} is never"
    } else if (canSpill) {
      s"Cached blocks that don't fit in memory are written to ${place.describe}" +
        context.share.fold("")(share => s", ${Utils.bytesToString(share.limit)} at most")
    } else {
      s"Cached blocks that don't fit in memory are dropped: ${place.describe} may be slow, and " +
        s"${Hpc.RETENTION_COPY_AHEAD.key} is 0"
    }
}
