package org.apache.spark.storage

import java.nio.ByteBuffer

import scala.reflect.ClassTag

import org.apache.spark.TaskContext
import org.apache.spark.hpc.retain.{LostState, SpillRules}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.client.StreamCallbackWithID
import org.apache.spark.storage.memory.EvictionAdvice
import org.apache.spark.util.io.ChunkedByteBuffer

/** Writes cached RDD blocks to disk where Spark would drop them for want of memory.
  *
  * In iterative programs a dropped block costs the recomputation of its whole history, which grows
  * with each iteration. A spill never hurts:
  *
  *  1. What can't be spilled is dropped, as in stock Spark. No task, job or executor fails by it.
  *  1. What was spilled and can't be read back is computed again: it is a miss.
  *  1. What is read back is what was written, all of it: a checksum says so.
  *  1. Elements that serialization would change aren't spilled ([[LostState]]).
  *  1. Spilled blocks give room when others need the disk.
  *  1. Nobody waits for a slow file system under the memory manager's monitor ([[CopyAhead]]).
  *
  * What another executor sends is kept as if it had been put here: when that executor was
  * decommissioned it is the only copy.
  */
private[spark] trait CacheSpilling extends SharedReads with EvictionAdvice {

  private lazy val place = SpillPlace.of(diskBlockManager.localDirs, conf.get(Hpc.SCRATCH_KIND))
  private lazy val ahead = {
    val onThisNode = if (place.isOfThisNode) 0.0 else CopyAhead.DefaultShare
    new CopyAhead(this, memory, conf.get(Hpc.RETENTION_COPY_AHEAD).getOrElse(onThisNode))
  }
  private val reports = new LateReports
  @volatile private var haveSpillable = false

  /** To be called when the patch is known to be whole. */
  protected def beginSpilling(): Unit = {
    for (disk <- HpcDiskBlockManager.of(diskBlockManager)) {
      disk.giveRoom = () => spilled.giveRoom()
      disk.giveRoomFor = spilled.giveRoom(_)
    }
    store.mayWait = () => !Thread.holdsLock(memory)
    store.onWritten = blockId => {
      policy.written(blockId)
      share(blockId)
    }
    store.onErased = blockId => {
      policy.erased(blockId)
      unshare(blockId)
    }
    logInfo(
      if (conf.get(Hpc.RETENTION_SPILL) == "never") {
        s"Cached blocks that don't fit in memory are dropped: ${Hpc.RETENTION_SPILL.key} is never"
      } else if (canSpill) {
        s"Cached blocks that don't fit in memory are written to ${place.describe}"
      } else {
        s"Cached blocks that don't fit in memory are dropped: ${place.describe} may be slow, and " +
          s"${Hpc.RETENTION_COPY_AHEAD.key} is 0"
      }
    )
  }

  private def canSpill: Boolean = place.isOfThisNode || ahead.isOn

  override def isSpilling: Boolean = haveSpillable

  override def mayWrite: Boolean = place.isOfThisNode

  override def isUnwritten(blockId: BlockId): Boolean =
    blockInfoManager.get(blockId).map(_.level).exists {
      case level: SpillableLevel =>
        !level.useDisk && policy.isWorthWriting(blockId) && blockId.asRDDId.exists(id =>
          rules.maySpill(id.rddId)
        ) &&
        spilled.hadRoom(isAhead = !mayWrite) && !ahead.isStalled
      case level => level.useDisk && !mayWrite && !store.wrote(blockId)
    }

  override def couldSpill(blockId: BlockId): Boolean =
    blockInfoManager.get(blockId).map(_.level).exists {
      case _: SpillableLevel => blockId.asRDDId.exists(id => rules.maySpill(id.rddId))
      case level => level.useDisk
    }

  override def isDroppable(blockId: BlockId): Boolean = levelOf(blockId).nonEmpty

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

    if (!isSpillable(level)) {
      put(level, makeIterator)
    } else {
      haveSpillable = true
      val values = new WatchedValues(makeIterator)
      val spillable = new SpillableLevel(level, () => maySpill(blockId, values.sample.iterator))
      val unrolledBefore = memoryStore.currentUnrollMemoryForThisTask
      try {
        val result = put(spillable, () => values.iterator())
        if (spillable.useDisk) spilled.add(blockId)
        result
      } catch {
        case failure: Throwable
            if !values.failed && (spillable.useDisk || isUnreadable(blockId)) &&
              !Causes.isInterrupt(failure) =>
          // The values are partly consumed, and what was unrolled of them is still charged.
          val unrolled = memoryStore.currentUnrollMemoryForThisTask - unrolledBefore
          if (unrolled > 0) memoryStore.releaseUnrollMemoryForThisTask(level.memoryMode, unrolled)
          if (!isUnreadable(blockId)) {
            failed(blockId, failure)
            put(level, makeIterator)
          } else if (spilled.discard(blockId)) {
            put(level, makeIterator)
          } else {
            Right(makeIterator())
          }
      } finally values.dropSample()
    }
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
      new SpillableLevel(level, () => maySpill(rddBlock, Iterator.empty))
    case _ => level
  }

  private def noteIfSpilled(blockId: BlockId, level: StorageLevel): Unit = (blockId, level) match {
    case (rddBlock: RDDBlockId, level: SpillableLevel) if level.useDisk => spilled.add(rddBlock)
    case _ =>
  }

  private[storage] override def dropFromMemory[T: ClassTag](
      blockId: BlockId,
      data: () => Either[Array[T], ChunkedByteBuffer]
  ): StorageLevel = {
    def drop() = super.dropFromMemory(blockId, data)

    (blockId, levelOf(blockId)) match {
      case (rddBlock: RDDBlockId, Some(level)) if !(level.useDisk && store.contains(blockId)) =>
        level.notOnDisk()
        if (
          !(place.isOfThisNode && policy.isWorthWriting(blockId) &&
            maySpill(rddBlock, sample(data)))
        ) {
          drop()
        } else {
          level.toDisk()
          try {
            val bytes = hpcMemory.bytesOf(blockId)
            val begun = System.nanoTime()
            val effective = drop()
            hpcMemory.speed.wrote(bytes, System.nanoTime() - begun)
            spilled.add(rddBlock)
            effective
          } catch {
            case failure: Throwable if memoryStore.contains(blockId) =>
              level.notOnDisk()
              failed(rddBlock, failure)
              drop()
          }
        }
      case (_, level) =>
        level.foreach(_.isUntold = false)
        drop()
    }
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
    level.useMemory && !level.useDisk && {
      val ofJob = Option(TaskContext.get()).flatMap { context =>
        Option(context.getLocalProperty(Hpc.RETENTION_SPILL.key))
      }
      val spill = ofJob.fold(conf.get(Hpc.RETENTION_SPILL))(Hpc.RETENTION_SPILL.valueConverter)
      spill == "auto" && canSpill
    }

  private[storage] def maySpill(blockId: RDDBlockId, elements: => Iterator[Any]): Boolean =
    rules.maySpill(blockId.rddId) && !ahead.isStalled && spilled.hasRoom &&
      survive(blockId, elements)

  /** Whether a block in memory may be written ahead of its eviction; its read lock is held. */
  private[storage] def mayCopy(
      blockId: BlockId,
      level: StorageLevel,
      elements: => Iterator[Any]
  ): Boolean = (blockId, level) match {
    case (rddBlock: RDDBlockId, level: SpillableLevel) =>
      !level.useDisk && maySpill(rddBlock, elements)
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

  private[storage] def sample(data: () => Either[Array[_], ChunkedByteBuffer]): Iterator[Any] =
    data() match {
      case Left(values) => Iterator(0, values.length / 2).filter(_ < values.length).map(values(_))
      case Right(_) => Iterator.empty // it is what serialization made of them, already
    }

  private def survive(blockId: RDDBlockId, elements: Iterator[Any]): Boolean = {
    val lost =
      try elements.map(LostState.in).collectFirst { case Some(field) => field }
      catch { case failure: LinkageError => Some(failure.toString) }
    if (lost.nonEmpty && rules.refuse(blockId.rddId)) {
      logWarning(
        s"Blocks of RDD ${blockId.rddId} are dropped from memory, not spilled: serialization would " +
          s"lose what ${lost.get} holds. Make it a @transient lazy val, or not transient."
      )
    }
    lost.isEmpty
  }

  private[storage] def failed(blockId: BlockId, failure: Throwable): Unit =
    if (Causes.isInterrupt(failure)) {
      spillCounts.failedByInterrupt.inc()
    } else if (DiskTrouble.isIn(failure)) {
      spillCounts.failedByDisk.inc()
      if (rules.pause()) {
        logWarning(
          s"Cached blocks are dropped from memory, not spilled, for ${SpillRules.PauseSeconds} s: " +
            s"$blockId couldn't be written below ${place.describe}: $failure"
        )
      }
    } else {
      spillCounts.failedByElements.inc()
      for (id <- blockId.asRDDId if rules.refuse(id.rddId))
        logWarning(
          s"Blocks of RDD ${id.rddId} are dropped from memory, not spilled: their elements can't " +
            s"be serialized: $failure"
        )
    }
}
