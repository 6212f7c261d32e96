package org.apache.spark.storage.hpc.cache

import java.nio.ByteBuffer

import scala.reflect.ClassTag

import org.apache.spark.TaskContext
import org.apache.spark.executor.DataReadMethod
import org.apache.spark.internal.Logging
import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.{BlockData, BlockId, BlockInfo, BlockResult}
import org.apache.spark.storage.hpc.disk.Causes
import org.apache.spark.storage.memory.hpc.SpillableLevel
import org.apache.spark.unsafe.Platform
import org.apache.spark.util.CompletionIterator

/** Reads spilled blocks back.
  *
  * A block that is damaged, or cannot be deserialized, is removed and treated as missing: Spark computes it again.
  */
private[storage] final class SpilledReads(context: CacheContext) extends Logging {
  import SpilledReads._
  import context.{inMemory, manager, onDisk}

  /** A block's values, by Spark's own code if it is in memory. */
  def values(blockId: BlockId)(sparks: => Option[BlockResult]): Option[BlockResult] =
    locked(blockId)(sparks) { (info, level) =>
      if (inMemory.contains(blockId)) {
        try sparks
        finally manager.releaseLock(blockId)
      } else if (level.useDisk) {
        readSpilled(blockId, level, info)
      } else {
        manager.releaseLock(blockId)
        lose(blockId, level, WithoutData)
        None
      }
    }

  /** Takes the read lock of a block that may be spilled, and runs `spillable`, which releases it. For any other block
    * runs `sparks`, without the lock.
    *
    * Where the block is can be known only under the lock: a task that waits for the lock may wait for the task that
    * writes the block to disk. Spark's own code would then read the file without verifying its checksum.
    */
  private def locked[A](blockId: BlockId)(sparks: => A)(
      spillable: (BlockInfo, SpillableLevel) => A
  ): A = {
    val info = if (blockId.isRDD) manager.blockInfoManager.lockForReading(blockId) else None
    info.map(its => its -> its.level) match {
      case Some((its, level: SpillableLevel)) => spillable(its, level)
      case other =>
        if (other.nonEmpty) manager.releaseLock(blockId)
        sparks
    }
  }

  /** A block's bytes. Releases the lock if a block in memory can't be serialized for others; Spark would keep it. */
  def bytes(blockId: BlockId)(sparks: => Option[BlockData]): Option[BlockData] = {
    def read() = {
      val block = context.infoOf(blockId)
      try sparks
      catch {
        case failure: Throwable
            if blockId.isRDD && !Causes.isInterrupt(failure) && block.nonEmpty &&
              block == context.infoOf(blockId) =>
          manager.releaseLock(blockId)
          throw failure
      }
    }
    ifIntact(blockId)(read()).flatten
  }

  /** The result of `read`. If the block was spilled and is damaged, removes it and returns None. */
  def ifIntact[A](blockId: BlockId)(read: => A): Option[A] =
    locked(blockId)(Option(read)) { (_, level) =>
      val wrong =
        try damage(blockId, level)
        catch {
          case failure: Throwable =>
            manager.releaseLock(blockId)
            throw failure
        }
      wrong match {
        case None =>
          try Some(read)
          finally manager.releaseLock(blockId)
        case Some(what) =>
          manager.releaseLock(blockId)
          lose(blockId, level, what)
          None
      }
    }

  /** Why a block is damaged; None if it is intact. Its read lock is held.
    *
    * Blocks without data are detected here: Spark removes them when a read fails, and would wait for the lock that is
    * held here.
    */
  private def damage(blockId: BlockId, level: SpillableLevel): Option[String] =
    if (inMemory.contains(blockId)) None
    else if (level.useDisk) onDisk.damage(blockId)
    else Some(WithoutData)

  private def lose(blockId: BlockId, level: SpillableLevel, why: String): Unit = {
    level.unreadable = true
    context.counts.unreadableBlocks.inc()
    logWarning(s"Spilled block $blockId can't be read back and is computed again: $why")
    context.spilled.discard(blockId)
  }

  /** Reads a block that is on disk only; its read lock is held, and released with the last value. */
  private def readSpilled(
      blockId: BlockId,
      level: SpillableLevel,
      info: BlockInfo
  ): Option[BlockResult] = {
    val task = Option(TaskContext.get())
    var verified = false
    try {
      val data = onDisk.intact(blockId)
      verified = true
      val values =
        if (level.deserialized) asValues(blockId, info, data) else asBytes(blockId, info, data)
      values.hasNext // if deserialization fails, it fails at the first value
      blockId.asRDDId.foreach(context.rdds.readBack(_, data.size))
      val released = CompletionIterator[Any, Iterator[Any]](
        values,
        manager.releaseLockAndDispose(blockId, data, task)
      )
      Some(new BlockResult(released, DataReadMethod.Disk, info.size))
    } catch {
      case failure: Throwable =>
        manager.releaseLock(blockId, task)
        if (Causes.isInterrupt(failure)) throw failure
        for (id <- blockId.asRDDId if verified && context.rules.refuse(id.rddId))
          logWarning(s"Blocks of RDD ${id.rddId} aren't spilled any more: they can't be read back.")
        lose(blockId, level, failure.toString)
        None
    }
  }

  private def asValues(blockId: BlockId, info: BlockInfo, data: BlockData): Iterator[Any] =
    info.synchronized {
      inMemory.getValues(blockId).getOrElse {
        val tag = info.classTag.asInstanceOf[ClassTag[Any]]
        val stored =
          manager.serializerManager.dataDeserializeStream(blockId, data.toInputStream())(tag)
        if (!inMemory.isWorthReading(blockId)) {
          stored
        } else {
          val begun = System.nanoTime()
          inMemory.putIteratorAsValues(blockId, stored, info.level.memoryMode, tag) match {
            case Left(unrolled) => unrolled
            case Right(bytes) =>
              inMemory.speed.read(
                bytes,
                System.nanoTime() - begun,
                blockId.asRDDId.fold(-1)(_.rddId)
              )
              inMemory.getValues(blockId).get
          }
        }
      }
    }

  private def asBytes(blockId: BlockId, info: BlockInfo, data: BlockData): Iterator[Any] = {
    val again = info.synchronized {
      inMemory.getBytes(blockId).orElse {
        val mode = info.level.memoryMode
        val allocate: Int => ByteBuffer =
          if (mode == MemoryMode.OFF_HEAP) Platform.allocateDirectBuffer else ByteBuffer.allocate
        // Spark doesn't expect this to fail, and would keep the memory charged.
        def read() =
          try data.toChunkedByteBuffer(allocate)
          catch {
            case failure: Throwable =>
              context.memory.releaseStorageMemory(data.size, mode)
              throw failure
          }
        val fits = inMemory.isWorthReading(blockId) && inMemory.putBytes(
          blockId,
          data.size,
          mode,
          () => read()
        )(info.classTag)
        if (fits) inMemory.getBytes(blockId) else None
      }
    }
    val stream = again.fold(data.toInputStream())(_.toInputStream())
    manager.serializerManager.dataDeserializeStream(blockId, stream)(info.classTag)
  }
}

private object SpilledReads {
  private val WithoutData = "an eviction that was interrupted left it without data"
}
