package org.apache.spark.storage.hpc.cache

import java.util.concurrent.atomic.AtomicLong

import scala.reflect.ClassTag

import org.apache.spark.SparkContext
import org.apache.spark.memory.{MemoryMode, RoomMaker}
import org.apache.spark.storage.{BlockId, BlockStatus, StorageLevel}
import org.apache.spark.storage.memory.hpc.{Computations, EvictionAdvice}
import org.apache.spark.util.io.ChunkedByteBuffer
import org.sparkhpc.retain.VainAttempts

/** Has cached blocks written before they are evicted, outside the memory manager's monitor.
  *
  *  1. While the disk hangs, blocks are dropped unwritten, and nobody waits for it.
  *  1. If the only blocks left are those that their user wants on disk, who needs room waits for the disk;
  *     but outside the monitor, which heartbeats need.
  */
private[spark] trait RoomBeforehand extends SharedReads with EvictionAdvice with RoomMaker {

  protected def ahead: CopyAhead

  // Bytes that threads are about to evict, by mode.
  private val wanted = MemoryMode.values.map(_ -> new AtomicLong).toMap

  // Of cached blocks, by RDD.
  private val attempts = new VainAttempts[Integer]

  override def withRoom[A](newcomer: BlockId, bytes: Long, mode: MemoryMode)(put: => A): A =
    withRoom(newcomer.asRDDId.map(_.rddId), bytes, mode)(put)

  override def withRoom[A](bytes: Long, mode: MemoryMode)(acquire: => A): A =
    if (isSpilling) withRoom(None, bytes, mode)(acquire) else acquire

  private def withRoom[A](rdd: Option[Int], bytes: Long, mode: MemoryMode)(act: => A): A =
    if (rdd.nonEmpty && hpcMemory.bytesBut(rdd, mode) < bytes) {
      act // for a cached block nothing is evicted unless that gives all the room it needs
    } else {
      wanted(mode).addAndGet(bytes)
      try {
        val begun = System.nanoTime()
        makeRoom(rdd, mode)
        Computations.exclude(System.nanoTime() - begun)
        act
      } finally wanted(mode).addAndGet(-bytes): Unit
    }

  /** On a shared file system nobody waits for a write, unless it must: there [[CopyAhead]] has a thread of
    * its own.
    */
  private def makeRoom(rdd: Option[Int], mode: MemoryMode): Unit = {
    def missing = wanted(mode).get - hpcMemory.readyBytes(rdd, mode)
    def copy(isCopied: Boolean): Unit = ahead.makeReady(mode, rdd, isCopied)(missing)
    def mustWrite = hpcMemory.lackDroppable(mode, missing, isDroppable)

    rdd match {
      case Some(its) =>
        // Nothing that isn't ready is evicted for it. To find that out takes a look at all blocks.
        attempts.attempt(Integer.valueOf(its)) {
          copy(isCopied = place.isOfThisNode)
          missing <= 0
        }
      case None =>
        copy(isCopied = place.isOfThisNode)
        if (mustWrite) {
          if (!place.isOfThisNode) copy(isCopied = true)
          while (store.isStalled && mustWrite && store.disk.awaitAnswer()) copy(isCopied = true)
        }
    }
  }

  override def mayWriteNow: Boolean = !store.isStalled

  override def isDroppable(blockId: BlockId): Boolean =
    levelOf(blockId).nonEmpty || isDispensable(blockId)

  /** Whether a block would have to be written to a disk that hangs, and there is another copy of it: the
    * driver has all parts of a broadcast.
    */
  private def isDispensable(blockId: BlockId): Boolean =
    blockId.isBroadcast && executorId != SparkContext.DRIVER_IDENTIFIER && store.isStalled &&
      !store.wrote(blockId)

  private[storage] override def dropFromMemory[T: ClassTag](
      blockId: BlockId,
      data: () => Either[Array[T], ChunkedByteBuffer]
  ): StorageLevel =
    if (isDispensable(blockId)) dropUnwritten(blockId)
    else {
      levelOf(blockId).foreach { level =>
        if (level.useDisk && store.contains(blockId)) level.isUntold = false else level.notOnDisk()
      }
      super.dropFromMemory(blockId, data)
    }

  /** As Spark drops a block that its user wants in memory only; its write lock is held. */
  private def dropUnwritten(blockId: BlockId): StorageLevel = {
    val info = blockInfoManager.assertBlockIsLockedForWriting(blockId)
    val bytes = memoryStore.getSize(blockId)
    memoryStore.remove(blockId)
    if (info.tellMaster) reportBlockStatus(blockId, BlockStatus.empty, bytes)
    StorageLevel.NONE
  }
}
