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
import org.apache.spark.storage.hpc.disk.Causes
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.apache.spark.storage.memory.hpc.HpcMemoryStore
import org.apache.spark.storage.memory.hpc.SpillableLevel
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

  // Where a block is, is looked at under its lock: whoever waits for the lock may wait for the very task that writes
  // the block to disk, and Spark's own code would read the file without a look at its checksum.
  override def getLocalValues(blockId: BlockId): Option[BlockResult] =
    locked(blockId)(super.getLocalValues(blockId)) { (info, level) =>
      if (memoryStore.contains(blockId)) {
        try super.getLocalValues(blockId)
        finally releaseLock(blockId)
      } else if (level.useDisk) {
        readSpilled(blockId, level, info)
      } else {
        releaseLock(blockId)
        lose(blockId, level, "an eviction that was interrupted left it without data")
        None
      }
    }

  /** Runs `spillable`, which releases the block's read lock, for a block that may be spilled; otherwise `sparks`, without
    * a lock.
    */
  private def locked[A](blockId: BlockId)(sparks: => A)(
      spillable: (BlockInfo, SpillableLevel) => A
  ): A =
    if (!blockId.isRDD) sparks
    else
      blockInfoManager.lockForReading(blockId) match {
        case Some(info) =>
          info.level match {
            case level: SpillableLevel => spillable(info, level)
            case _ =>
              releaseLock(blockId)
              sparks
          }
        case None => sparks
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
      val isOnDisk = level.useDisk && !memoryStore.contains(blockId)
      val damage =
        try if (isOnDisk) store.damage(blockId) else None
        catch {
          case failure: Throwable =>
            releaseLock(blockId)
            throw failure
        }
      damage match {
        case None =>
          try Some(read)
          finally releaseLock(blockId)
        case Some(what) =>
          releaseLock(blockId)
          lose(blockId, level, what)
          None
      }
    }

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
