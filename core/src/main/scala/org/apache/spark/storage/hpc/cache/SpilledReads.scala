package org.apache.spark.storage.hpc.cache

import java.nio.ByteBuffer

import scala.reflect.ClassTag

import org.apache.spark.TaskContext
import org.apache.spark.executor.DataReadMethod
import org.apache.spark.internal.config.Hpc
import org.apache.spark.memory.{MemoryManager, MemoryMode}
import org.apache.spark.storage.{
  BlockData,
  BlockId,
  BlockInfo,
  BlockManager,
  BlockManagerId,
  BlockResult
}
import org.apache.spark.storage.hpc.disk.{Causes, HpcDiskStore}
import org.apache.spark.storage.memory.hpc.{HpcMemoryStore, SpillableLevel}
import org.apache.spark.unsafe.Platform
import org.apache.spark.util.CompletionIterator
import org.sparkhpc.retain.{RetentionPolicy, SpillRules}
import org.sparkhpc.tier.MemoryShare

/** Reads back the blocks that [[CacheSpilling]] wrote to disk.
  *
  * A block that isn't as it was written, or can't be deserialized, is removed and not there: Spark
  * computes it again.
  */
private[spark] trait SpilledReads extends BlockManager {
  import SpilledReads._

  /** What charges for the blocks in memory. */
  protected def memory: MemoryManager

  protected val rules = new SpillRules
  private[storage] val spillCounts = new SpillCounts
  protected lazy val place: SpillPlace =
    SpillPlace.of(diskBlockManager.localDirs, conf.get(Hpc.SCRATCH_KIND))
  protected lazy val memoryShare: Option[MemoryShare] =
    SpillPlace.share(place, diskBlockManager, conf)
  private[storage] lazy val spilled = new SpilledBlocks(this, spillCounts, memoryShare)
  protected lazy val store = diskStore.asInstanceOf[HpcDiskStore]
  private[storage] lazy val hpcMemory = memoryStore.asInstanceOf[HpcMemoryStore]
  private[storage] lazy val policy: RetentionPolicy[BlockId] = hpcMemory.policy

  override def getLocalValues(blockId: BlockId): Option[BlockResult] =
    locked(blockId)(super.getLocalValues(blockId)) { (info, level) =>
      if (memoryStore.contains(blockId)) {
        try super.getLocalValues(blockId)
        finally releaseLock(blockId)
      } else if (level.useDisk) {
        readSpilled(blockId, level, info)
      } else {
        releaseLock(blockId)
        lose(blockId, level, WithoutData)
        None
      }
    }

  /** Takes the read lock of a block that may be spilled, and runs `spillable`, which releases it. For any other block
    * runs `sparks`, without the lock.
    *
    * Only under the lock is it known where the block is: a task that waits for the lock may wait for the task that
    * writes the block to disk. Spark's own code would then read the file without its checksum.
    */
  private def locked[A](blockId: BlockId)(sparks: => A)(
      spillable: (BlockInfo, SpillableLevel) => A
  ): A = {
    val info = if (blockId.isRDD) blockInfoManager.lockForReading(blockId) else None
    info.map(its => its -> its.level) match {
      case Some((its, level: SpillableLevel)) => spillable(its, level)
      case other =>
        if (other.nonEmpty) releaseLock(blockId)
        sparks
    }
  }

  override def getLocalBytes(blockId: BlockId): Option[BlockData] =
    ifIntact(blockId)(bytesOf(blockId)).flatten

  /** Spark keeps the lock when a block in memory can't be serialized for somebody else. */
  private def bytesOf(blockId: BlockId): Option[BlockData] = {
    val block = blockInfoManager.get(blockId)
    try super.getLocalBytes(blockId)
    catch {
      case failure: Throwable
          if blockId.isRDD && !Causes.isInterrupt(failure) && block.nonEmpty &&
            block == blockInfoManager.get(blockId) =>
        releaseLock(blockId)
        throw failure
    }
  }

  override def replicateBlock(
      blockId: BlockId,
      existingReplicas: Set[BlockManagerId],
      maxReplicas: Int,
      maxReplicationFailures: Option[Int]
  ): Boolean =
    ifIntact(blockId) {
      super.replicateBlock(blockId, existingReplicas, maxReplicas, maxReplicationFailures)
    }.getOrElse(false)

  protected def levelOf(blockId: BlockId): Option[SpillableLevel] =
    if (blockId.isRDD) {
      blockInfoManager.get(blockId).map(_.level).collect { case level: SpillableLevel => level }
    } else {
      None
    }

  /** What `read` gives, or None after removing a spilled block that isn't as it was written. */
  private def ifIntact[A](blockId: BlockId)(read: => A): Option[A] =
    locked(blockId)(Option(read)) { (_, level) =>
      val wrong =
        try damage(blockId, level)
        catch {
          case failure: Throwable =>
            releaseLock(blockId)
            throw failure
        }
      wrong match {
        case None =>
          try Some(read)
          finally releaseLock(blockId)
        case Some(what) =>
          releaseLock(blockId)
          lose(blockId, level, what)
          None
      }
    }

  /** Why a block isn't as it was put; its read lock is held.
    *
    * Spark removes a block without data as soon as a read fails, and would wait for the very lock that is held here.
    */
  private def damage(blockId: BlockId, level: SpillableLevel): Option[String] =
    if (memoryStore.contains(blockId)) None
    else if (level.useDisk) store.damage(blockId)
    else Some(WithoutData)

  protected def isUnreadable(blockId: BlockId): Boolean = levelOf(blockId).exists(_.unreadable)

  private def lose(blockId: BlockId, level: SpillableLevel, why: String): Unit = {
    level.unreadable = true
    spillCounts.unreadableBlocks.inc()
    logWarning(s"Spilled block $blockId can't be read back and is computed again: $why")
    spilled.discard(blockId)
  }

  /** Reads a block that is on disk only; its read lock is held, and released with the last value. */
  private def readSpilled(
      blockId: BlockId,
      level: SpillableLevel,
      info: BlockInfo
  ): Option[BlockResult] = {
    val context = Option(TaskContext.get())
    var verified = false
    try {
      val data = store.intact(blockId)
      verified = true
      val values =
        if (level.deserialized) asValues(blockId, info, data) else asBytes(blockId, info, data)
      values.hasNext // the first of them is where deserialization fails, if it does
      val released = CompletionIterator[Any, Iterator[Any]](
        values,
        releaseLockAndDispose(blockId, data, context)
      )
      Some(new BlockResult(released, DataReadMethod.Disk, info.size))
    } catch {
      case failure: Throwable =>
        releaseLock(blockId, context)
        if (Causes.isInterrupt(failure)) throw failure
        for (id <- blockId.asRDDId if verified && rules.refuse(id.rddId))
          logWarning(s"Blocks of RDD ${id.rddId} aren't spilled any more: they can't be read back.")
        lose(blockId, level, failure.toString)
        None
    }
  }

  private def asValues(blockId: BlockId, info: BlockInfo, data: BlockData): Iterator[Any] =
    info.synchronized {
      memoryStore.getValues(blockId).getOrElse {
        val tag = info.classTag.asInstanceOf[ClassTag[Any]]
        val onDisk = serializerManager.dataDeserializeStream(blockId, data.toInputStream())(tag)
        if (!hpcMemory.isWorthReading(blockId, info.level.memoryMode)) {
          onDisk
        } else {
          val begun = System.nanoTime()
          memoryStore.putIteratorAsValues(blockId, onDisk, info.level.memoryMode, tag) match {
            case Left(unrolled) => unrolled
            case Right(bytes) =>
              hpcMemory.speed.read(
                bytes,
                System.nanoTime() - begun,
                blockId.asRDDId.fold(-1)(_.rddId)
              )
              memoryStore.getValues(blockId).get
          }
        }
      }
    }

  private def asBytes(blockId: BlockId, info: BlockInfo, data: BlockData): Iterator[Any] = {
    val inMemory = info.synchronized {
      memoryStore.getBytes(blockId).orElse {
        val mode = info.level.memoryMode
        val allocate: Int => ByteBuffer =
          if (mode == MemoryMode.OFF_HEAP) Platform.allocateDirectBuffer else ByteBuffer.allocate
        // Spark doesn't expect this to fail, and would keep the memory charged.
        def read() =
          try data.toChunkedByteBuffer(allocate)
          catch {
            case failure: Throwable =>
              memory.releaseStorageMemory(data.size, mode)
              throw failure
          }
        val fits = hpcMemory.isWorthReading(blockId, mode) && memoryStore.putBytes(
          blockId,
          data.size,
          mode,
          () => read()
        )(info.classTag)
        if (fits) memoryStore.getBytes(blockId) else None
      }
    }
    val stream = inMemory.fold(data.toInputStream())(_.toInputStream())
    serializerManager.dataDeserializeStream(blockId, stream)(info.classTag)
  }
}

private object SpilledReads {
  private val WithoutData = "an eviction that was interrupted left it without data"
}
