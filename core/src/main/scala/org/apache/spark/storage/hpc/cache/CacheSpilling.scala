package org.apache.spark.storage.hpc.cache

import java.nio.ByteBuffer

import scala.reflect.ClassTag

import org.apache.spark.TaskContext
import org.apache.spark.internal.config.Hpc
import org.apache.spark.memory.HpcMemoryManager
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.client.StreamCallbackWithID
import org.apache.spark.storage.{BlockId, BlockResult, BlockStatus, RDDBlockId, StorageLevel}
import org.apache.spark.storage.hpc.disk.{Causes, DiskHangs, DiskTrouble}
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.apache.spark.storage.memory.hpc.{Computations, SpillableLevel}
import org.apache.spark.util.Utils
import org.sparkhpc.retain.SpillRules

/** Writes cached RDD blocks to disk where Spark would drop them for want of memory.
  *
  * In iterative programs a dropped block costs the recomputation of its whole history, which grows
  * with each iteration. These rules hold for a spill:
  *
  *  1. What can't be spilled is dropped, as in stock Spark. No task, job or executor fails by it.
  *  1. What was spilled and can't be read back is computed again: it is a miss.
  *  1. What is read back is what was written, all of it: a checksum says so.
  *  1. A block is spilled only if its serializer keeps all of each element ([[ElementForms]]).
  *  1. A block that takes less to compute than to write and to read is dropped, as in stock Spark.
  *  1. Spilled blocks give room when others need the disk.
  *  1. Nobody writes under the memory manager's monitor ([[CopyAhead]]), nor hangs with a disk
  *     ([[StallsSurvived]]).
  *
  * What another executor sends is kept as if it had been put here: when that executor was
  * decommissioned it is the only copy.
  */
private[spark] trait CacheSpilling extends StallsSurvived {

  protected lazy val ahead: CopyAhead = {
    val onThisNode = if (place.isOfThisNode) 0.0 else CopyAhead.DefaultShare
    new CopyAhead(this, memory, conf.get(Hpc.RETENTION_COPY_AHEAD).getOrElse(onThisNode))
  }
  private val reports = new LateReports
  private[storage] lazy val elements =
    new SpillableElements(serializerManager, rules, spillCounts, hpcMemory.speed)

  @volatile private var haveSpillable = false

  /** To be called when the patch is known to be whole. */
  protected def beginSpilling(): Unit = {
    for (disk <- HpcDiskBlockManager.of(diskBlockManager)) {
      disk.giveRoom = () => spilled.giveRoom()
      disk.giveRoomFor = spilled.giveRoom(_)
    }
    mindStalls()
    store.onWritten = blockId => {
      policy.written(blockId)
      hpcMemory.setReady(blockId, isReady = true)
      share(blockId)
    }
    store.onErased = blockId => {
      policy.erased(blockId)
      hpcMemory.setReady(blockId, isReady = false)
      memoryShare.foreach(_.giveBack(blockId.name))
      unshare(blockId)
    }
    store.shareOf = blockId => levelOf(blockId).flatMap(_ => memoryShare)
    memory match {
      case ours: HpcMemoryManager => ours.attach(this)
      case _ => // a test's own; tasks take what is ready
    }
    logInfo(
      if (spillOfApplication == "never") {
        s"Cached blocks that don't fit in memory are dropped: ${Hpc.RETENTION_SPILL.key} is never"
      } else if (canSpill) {
        s"Cached blocks that don't fit in memory are written to ${place.describe}" +
          memoryShare.fold("")(share => s", ${Utils.bytesToString(share.limit)} at most")
      } else {
        s"Cached blocks that don't fit in memory are dropped: ${place.describe} may be slow, and " +
          s"${Hpc.RETENTION_COPY_AHEAD.key} is 0"
      }
    )
  }

  private def canSpill: Boolean = place.isOfThisNode || ahead.isOn

  override def isSpilling: Boolean = haveSpillable

  /** Whether evicting the block now would lose what is worth a write, and can be written. */
  private[storage] def isUnwritten(blockId: BlockId): Boolean =
    blockInfoManager.get(blockId).map(_.level).exists {
      case level: SpillableLevel =>
        !level.useDisk && blockId.asRDDId.exists(id => rules.maySpill(id.rddId)) &&
        (level.isAlways || policy.isWorthWriting(blockId)) && spilled.hadRoom && !store.isStalled
      case level => level.useDisk && !store.wrote(blockId)
    }

  override def hasCopy(blockId: BlockId): Boolean = store.wrote(blockId)

  override def checked[T](tag: ClassTag[_], values: Iterator[T]): Iterator[T] =
    elements.checked(tag, values)

  override def couldSpill(blockId: BlockId): Boolean =
    blockInfoManager.get(blockId).map(_.level).exists {
      case _: SpillableLevel => blockId.asRDDId.exists(id => rules.maySpill(id.rddId))
      case level => level.useDisk
    }

  override def fellBehind(losing: Boolean): Unit = ahead.fellBehind(losing)

  override def memoryChanged(): Unit = if (haveSpillable) ahead.wake()

  override def getOrElseUpdateRDDBlock[T](
      taskId: Long,
      blockId: RDDBlockId,
      level: StorageLevel,
      classTag: ClassTag[T],
      makeIterator: () => Iterator[T]
  ): Either[BlockResult, Iterator[T]] = {
    def put(level: StorageLevel, values: () => Iterator[T]) =
      super.getOrElseUpdateRDDBlock(taskId, blockId, level, classTag, values)

    val spill = if (mayBeSpilled(level)) spillOfJob else "never"
    if (spill == "never") {
      put(level, makeIterator)
    } else {
      haveSpillable = true
      // What is serialized at once has nothing else that keeps its first values.
      val kept = if (level.deserialized) SerializationSample.Elements else 1
      val values = new WatchedValues(blockId, kept, makeIterator)
      val unrolledBefore = memoryStore.currentUnrollMemoryForThisTask
      def unrolled = memoryStore.currentUnrollMemoryForThisTask - unrolledBefore
      val isAlways = spill == "always"
      def isWorthIt = isAlways || isWorthOverflowing(blockId, level, values, unrolled)(classTag)
      def mayOverflow =
        isWorthIt && maySpill(blockId) && elements.survive(blockId, classTag, values.sample)
      val spillable = new SpillableLevel(level, () => mayOverflow, isAlways)
      try {
        val result = put(spillable, () => values.iterator())
        if (spillable.useDisk) spilled.add(blockId)
        result
      } catch {
        case failure: Throwable
            if !values.failed && (spillable.useDisk || isUnreadable(blockId)) &&
              !Causes.isInterrupt(failure) =>
          // The values are partly consumed, and what was unrolled of them is still charged.
          if (unrolled > 0) memoryStore.releaseUnrollMemoryForThisTask(level.memoryMode, unrolled)
          if (isGoneAfter(blockId, failure)) put(level, makeIterator) else Right(makeIterator())
      } finally {
        spillable.settle()
        values.dropSample()
      }
    }
  }

  private def isWorthOverflowing[T](
      blockId: RDDBlockId,
      level: StorageLevel,
      values: WatchedValues[T],
      bytes: Long
  )(tag: ClassTag[T]): Boolean = {
    if (level.deserialized)
      elements.measure(blockId, values.sample, bytes / math.max(1, values.count))(tag)
    Computations.isWorthWriting(policy, blockId, bytes)
  }

  /** A block's spill failed; true if nothing is left of it, so that it can be put without one. */
  private def isGoneAfter(blockId: RDDBlockId, failure: Throwable): Boolean =
    if (isUnreadable(blockId)) {
      spilled.discard(blockId)
    } else {
      failed(blockId, failure)
      true
    }

  override def putBlockData(
      blockId: BlockId,
      data: ManagedBuffer,
      level: StorageLevel,
      classTag: ClassTag[_]
  ): Boolean = {
    val kept = sent(blockId, level)
    val isStored = super.putBlockData(blockId, data, kept, classTag)
    noteIfSpilled(blockId, kept)
    isStored
  }

  override def putBlockDataAsStream(
      blockId: BlockId,
      level: StorageLevel,
      classTag: ClassTag[_]
  ): StreamCallbackWithID = {
    val kept = sent(blockId, level)
    val callback = super.putBlockDataAsStream(blockId, kept, classTag)
    new StreamCallbackWithID {
      override def getID: String = callback.getID
      override def onData(stream: String, bytes: ByteBuffer): Unit = callback.onData(stream, bytes)
      override def onFailure(stream: String, why: Throwable): Unit = callback.onFailure(stream, why)
      override def getCompletionResponse: ByteBuffer = callback.getCompletionResponse
      override def onComplete(stream: String): Unit = {
        callback.onComplete(stream)
        noteIfSpilled(blockId, kept)
      }
    }
  }

  /** The level to keep a block with that another executor sent: it has been serialized already, so
    * that nothing more can be lost by it.
    */
  private def sent(blockId: BlockId, level: StorageLevel): StorageLevel = blockId match {
    case rddBlock: RDDBlockId if isSpillable(level) =>
      haveSpillable = true
      new SpillableLevel(level, () => maySpill(rddBlock), isAlways = true)
    case _ => level
  }

  private def noteIfSpilled(blockId: BlockId, level: StorageLevel): Unit = (blockId, level) match {
    case (rddBlock: RDDBlockId, level: SpillableLevel) if level.useDisk => spilled.add(rddBlock)
    case _ =>
  }

  /** Asks the driver where a block is, but not before the driver knows that it isn't here; and not if
    * it was put here meanwhile, or it would be fetched from ourselves.
    */
  private[spark] override def getRemoteBlock[T](
      blockId: BlockId,
      bufferTransformer: ManagedBuffer => T
  ): Option[T] = {
    reports.await(blockId)
    if (isSpilling && blockId.isRDD && blockInfoManager.get(blockId).nonEmpty) None
    else super.getRemoteBlock(blockId, bufferTransformer)
  }

  /** The level as others may keep it: it no longer changes. */
  override def getStatus(blockId: BlockId): Option[BlockStatus] =
    super.getStatus(blockId).map { status =>
      status.storageLevel match {
        case level: SpillableLevel => status.copy(storageLevel = level.plain)
        case _ => status
      }
    }

  override def removeRdd(rddId: Int): Int = {
    val removed = super.removeRdd(rddId)
    rules.forget(rddId)
    spilled.forget(rddId)
    hpcMemory.speed.forget(rddId)
    removed
  }

  override def stop(): Unit = {
    ahead.stop()
    reports.stop()
    super.stop()
  }

  /** Waits for the driver's answer, unless others wait for the memory manager meanwhile. */
  private[spark] override def reportBlockStatus(
      blockId: BlockId,
      status: BlockStatus,
      droppedMemorySize: Long = 0L
  ): Unit = {
    def send(): Unit = super.reportBlockStatus(blockId, status, droppedMemorySize)

    if (isSpilling && Thread.holdsLock(memory)) {
      reports.later(blockId)(send())
    } else {
      reports.await(blockId)
      send()
    }
  }

  /** Whether blocks of this level, put by this thread now, may be spilled later. */
  private def isSpillable(level: StorageLevel): Boolean =
    mayBeSpilled(level) && spillOfJob != "never"

  private def mayBeSpilled(level: StorageLevel): Boolean =
    level.useMemory && !level.useDisk && canSpill

  private def spillOfJob: String = {
    val ofJob = Option(TaskContext.get()).flatMap { context =>
      Option(context.getLocalProperty(Hpc.RETENTION_SPILL.key))
    }
    ofJob.fold(spillOfApplication)(Hpc.RETENTION_SPILL.valueConverter)
  }

  private lazy val spillOfApplication = conf.get(Hpc.RETENTION_SPILL)

  private def maySpill(blockId: RDDBlockId): Boolean =
    rules.maySpill(blockId.rddId) && !store.isStalled && hasRoom

  private def hasRoom: Boolean =
    if (spilled.knowsRoom) spilled.hasRoom else store.disk.ask(spilled.hasRoom).getOrElse(false)

  /** Whether a block in memory may be written ahead of its eviction; its read lock is held. */
  private[storage] def mayCopy(blockId: BlockId, level: StorageLevel): Boolean =
    (blockId, level) match {
      case (rddBlock: RDDBlockId, level: SpillableLevel) => !level.useDisk && maySpill(rddBlock)
      case _ => level.useDisk && !rules.isPaused
    }

  /** The block was written ahead of its eviction; its read lock is held. The driver isn't told
    * before it is evicted: Spark's page would count its bytes on disk twice.
    */
  private[storage] def copied(blockId: BlockId, level: StorageLevel): Unit = {
    (blockId, level) match {
      case (rddBlock: RDDBlockId, level: SpillableLevel) =>
        level.isUntold = true
        level.toDisk()
        spilled.add(rddBlock)
      case _ => // Spark's own
    }
    spillCounts.copiedAheadBlocks.inc()
    spillCounts.copiedAheadBytes.inc(store.getSize(blockId))
  }

  private[storage] def failed(blockId: BlockId, failure: Throwable): Unit =
    if (Causes.isInterrupt(failure)) {
      spillCounts.failedByInterrupt.inc()
    } else if (DiskHangs.isIn(failure)) {
      spillCounts.failedByDisk.inc() // of which somebody else warns
    } else if (DiskTrouble.isIn(failure)) {
      spillCounts.failedByDisk.inc()
      if (rules.pause()) {
        logWarning(
          s"Cached blocks are dropped from memory, not spilled, for ${SpillRules.PauseSeconds} s: " +
            s"$blockId couldn't be written below ${place.describe}: $failure"
        )
      }
    } else {
      elements.failed(blockId, failure)
    }
}
