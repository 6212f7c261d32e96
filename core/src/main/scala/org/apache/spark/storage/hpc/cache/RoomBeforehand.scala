package org.apache.spark.storage.hpc.cache

import java.util.concurrent.atomic.AtomicLong

import scala.reflect.ClassTag

import org.apache.spark.SparkContext
import org.apache.spark.memory.{MemoryMode, RoomMaker}
import org.apache.spark.storage.{BlockId, BlockStatus, StorageLevel}
import org.apache.spark.storage.memory.hpc.{Computations, EvictionAdvice}
import org.sparkhpc.retain.VainAttempts

/** Has cached blocks written before they are evicted, outside the memory manager's monitor.
  *
  *  1. While the disk hangs, blocks are dropped without a write, and no thread waits for the disk.
  *  1. If only blocks whose level includes disk are left, a thread that needs memory waits for the disk, but outside
  *     the monitor, which heartbeats need.
  */
private[storage] final class RoomBeforehand(
    context: CacheContext,
    decisions: SpillDecisions,
    ahead: CopyAhead
) extends EvictionAdvice
    with RoomMaker {
  import context.{inMemory, levelOf, manager, onDisk, place}

  private def order = inMemory.order

  // Bytes that threads are about to evict, by mode.
  private val wanted = MemoryMode.values.map(_ -> new AtomicLong).toMap

  // Attempts to make room for cached blocks, by RDD.
  private val attempts = new VainAttempts[Integer]

  override def isSpilling: Boolean = context.isSpilling

  override def couldSpill(blockId: BlockId): Boolean = decisions.couldSpill(blockId)

  override def hasCopy(blockId: BlockId): Boolean = onDisk.wrote(blockId)

  override def checked[T](tag: ClassTag[_], values: Iterator[T]): Iterator[T] =
    context.elements.checked(tag, values)

  override def fellBehind(losing: Boolean): Unit = ahead.fellBehind(losing)

  override def memoryChanged(): Unit = if (isSpilling) ahead.wake()

  override def withRoom[A](newcomer: BlockId, bytes: Long, mode: MemoryMode)(put: => A): A =
    withRoom(newcomer.asRDDId.map(_.rddId), bytes, mode)(put)

  override def withRoom[A](bytes: Long, mode: MemoryMode)(acquire: => A): A =
    if (isSpilling) withRoom(None, bytes, mode)(acquire) else acquire

  private def withRoom[A](rdd: Option[Int], bytes: Long, mode: MemoryMode)(act: => A): A =
    if (rdd.nonEmpty && order.bytesBut(rdd, mode) < bytes) {
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

  /** On a shared file system, a thread that needs memory for itself waits for a write only if it must: [[CopyAhead]] has
    * a background thread there.
    */
  private def makeRoom(rdd: Option[Int], mode: MemoryMode): Unit = {
    // Determined once, since it takes a search, and not at all for an attempt that isn't made.
    lazy val inUse = order.readyInUse(rdd, mode, enough = wanted(mode).get)
    def missing = wanted(mode).get + inUse - order.readyBytes(rdd, mode)
    def copy(isCopied: Boolean): Unit = ahead.makeReady(mode, rdd, isCopied)(missing)
    def mustWrite = order.lackDroppable(mode, missing, isDroppable)

    rdd match {
      case Some(its) =>
        // Only ready blocks are evicted for a cached block. Without room, its task would write the block itself, and often
        // read it back at once. So it writes victims instead, even on a shared file system.
        // A failed attempt visits all blocks: it isn't repeated soon.
        attempts.attempt(Integer.valueOf(its)) {
          copy(isCopied = true)
          missing <= 0
        }
      case None =>
        copy(isCopied = place.isOfThisNode)
        if (mustWrite) {
          if (!place.isOfThisNode) copy(isCopied = true)
          while (onDisk.isStalled && mustWrite && onDisk.disk.awaitAnswer()) copy(isCopied = true)
        }
    }
  }

  override def mayWriteNow: Boolean = !onDisk.isStalled

  override def isDroppable(blockId: BlockId): Boolean =
    levelOf(blockId).nonEmpty || isDispensable(blockId)

  /** Whether a block can be dropped, in place of a write to a disk that hangs, because there is another copy: the
    * driver has all parts of a broadcast.
    */
  private def isDispensable(blockId: BlockId): Boolean =
    blockId.isBroadcast && manager.executorId != SparkContext.DRIVER_IDENTIFIER && onDisk.isStalled &&
      !onDisk.wrote(blockId)

  /** Drops a block from memory, by Spark's own code unless the disk hangs. The caller holds its write lock. */
  def drop(blockId: BlockId)(sparks: => StorageLevel): StorageLevel =
    if (isDispensable(blockId)) dropUnwritten(blockId)
    else {
      levelOf(blockId).foreach { level =>
        if (level.useDisk && onDisk.contains(blockId)) level.isUntold = false else level.notOnDisk()
      }
      sparks
    }

  /** Drops a block as Spark drops one whose level is memory only. The caller holds its write lock. */
  private def dropUnwritten(blockId: BlockId): StorageLevel = {
    val info = manager.blockInfoManager.assertBlockIsLockedForWriting(blockId)
    val bytes = inMemory.getSize(blockId)
    inMemory.remove(blockId)
    if (info.tellMaster) manager.reportBlockStatus(blockId, BlockStatus.empty, bytes)
    StorageLevel.NONE
  }
}
