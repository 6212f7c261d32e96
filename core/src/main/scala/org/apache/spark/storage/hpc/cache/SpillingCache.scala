package org.apache.spark.storage.hpc.cache

import scala.reflect.ClassTag

import com.codahale.metrics.Counter

import org.apache.spark.internal.Logging
import org.apache.spark.memory.{HpcMemoryManager, MemoryManager}
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.client.StreamCallbackWithID
import org.apache.spark.storage.{
  BlockData,
  BlockId,
  BlockManager,
  BlockResult,
  BlockStatus,
  RDDBlockId,
  StorageLevel
}
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.apache.spark.storage.memory.hpc.{Computations, EvictionAdvice}
import org.sparkhpc.retain.RetentionPolicy

/** Writes cached RDD blocks to disk where Spark would drop them for lack of memory.
  *
  * In iterative programs, a dropped block costs the recomputation of its whole lineage, which grows with each
  * iteration. These rules hold for a spill:
  *
  *  1. A block that cannot be spilled is dropped, as in stock Spark. No task, job or executor fails because of a spill.
  *  1. A spilled block that cannot be read back is a cache miss: it is computed again.
  *  1. A block that is read back is complete and unchanged: its checksum is verified.
  *  1. A block is spilled only if its serializer keeps all of each element ([[ElementForms]]).
  *  1. A block that takes less time to compute than to write and read is dropped, as in stock Spark.
  *  1. Spilled blocks are deleted when other files need the disk space.
  *  1. No thread writes under the memory manager's monitor ([[CopyAhead]]) or hangs with a disk ([[CacheOnDisk]]).
  *
  * A block manager delegates each of its calls to the corresponding method here, and passes Spark's own implementation.
  */
private[spark] final class SpillingCache(manager: BlockManager, memory: MemoryManager)
    extends Logging {
  private val context = new CacheContext(manager, memory)
  private val decisions = new SpillDecisions(context)
  private val ahead = new CopyAhead(context, decisions)
  private[storage] val room = new RoomBeforehand(context, decisions, ahead)
  private val puts = new SpillingPuts(context, decisions)
  private val reads = new SpilledReads(context)
  private val reports = new BlockReports(context)
  private val sharedReads = new SharedReads(context)
  private lazy val computations = new Computations(policy)

  def counts: SpillCounts = context.counts

  /** What happened to cached blocks by RDD, since the last call ([[RddCounts]]). */
  def takeRddFigures(): Map[String, Double] = context.takeRddFigures()

  def policy: RetentionPolicy[BlockId] = context.policy

  /** The advice that the memory store asks for before it evicts blocks. */
  def advice: EvictionAdvice = room

  private[storage] def elements: SpillableElements = context.elements

  /** To be called when the patch is known to be completely in place. */
  def begin(): Unit = {
    HpcDiskBlockManager.of(manager.diskBlockManager).foreach(_.attach(context.spilled))
    context.onDisk.attach(new CacheOnDisk(context, sharedReads, ahead))
    memory match {
      case ours: HpcMemoryManager => ours.attach(room)
      case _ => // a test's own manager: no room is made for tasks beforehand
    }
    logInfo(decisions.describe)
  }

  /** To be called if a scratch tier is shared: every executor can read the blocks in it. */
  def attach(blocks: SharedBlocks): Unit = sharedReads.attach(blocks)

  /** The blocks in shared tiers; None where no tier is shared. */
  def shared: Option[SharedBlocks] = sharedReads.blocks

  /** The number of blocks that were read from a tier where another executor had put them. */
  def readOfOthers: Counter = sharedReads.readOfOthers

  def values(blockId: BlockId)(sparks: => Option[BlockResult]): Option[BlockResult] =
    reads.values(blockId)(sparks)

  def bytes(blockId: BlockId)(sparks: => Option[BlockData]): Option[BlockData] =
    reads.bytes(blockId)(sparks)

  def replicate(blockId: BlockId)(sparks: => Boolean): Boolean =
    reads.ifIntact(blockId)(sparks).getOrElse(false)

  /** Spark's own ways to get a block come first: an executor may have it in memory. */
  def remote[T](blockId: BlockId, use: ManagedBuffer => T)(sparks: => Option[T]): Option[T] =
    reports.askFor(blockId)(sparks.orElse(sharedReads.find(blockId, use)))

  def getOrElseUpdate[T](
      taskId: Long,
      blockId: RDDBlockId,
      level: StorageLevel,
      classTag: ClassTag[T],
      makeIterator: () => Iterator[T]
  )(
      sparks: (StorageLevel, () => Iterator[T]) => Either[BlockResult, Iterator[T]]
  ): Either[BlockResult, Iterator[T]] = {
    def put(compute: () => Iterator[T]) =
      puts.getOrElseUpdate(blockId, level, classTag, compute)(sparks)

    val compute = () => context.compute(blockId, makeIterator)
    if (policy.isObserver) computations.observe(taskId, blockId, compute)(put) else put(compute)
  }

  def sent(blockId: BlockId, level: StorageLevel)(sparks: StorageLevel => Boolean): Boolean =
    puts.sent(blockId, level)(sparks)

  def sentInPieces(blockId: BlockId, level: StorageLevel)(
      sparks: StorageLevel => StreamCallbackWithID
  ): StreamCallbackWithID = puts.sentInPieces(blockId, level)(sparks)

  def drop(blockId: BlockId)(sparks: => StorageLevel): StorageLevel = room.drop(blockId)(sparks)

  def status(sparks: Option[BlockStatus]): Option[BlockStatus] = sparks.map(reports.plain)

  def report(blockId: BlockId)(sparks: => Unit): Unit = reports.report(blockId)(sparks)

  def reregister(sparks: => Unit): Unit = reports.reregister(sparks)

  /** A task has released its lock on the block. */
  def released(blockId: BlockId): Unit = context.released(blockId)

  /** The RDD was unpersisted, and Spark has removed its blocks. */
  def forget(rddId: Int): Unit = {
    sharedReads.forget(rddId)
    context.forget(rddId)
  }

  /** Makes room for scratch files; false if there is nothing left to remove. */
  def giveRoom(bytes: Long): Boolean = context.spilled.giveRoom(bytes)

  def stop(): Unit = {
    ahead.stop()
    reports.stop()
    context.onDisk.disk.stop()
  }
}

private[spark] object SpillingCache {

  /** A block manager that has a spilling cache. */
  trait Owner { self: BlockManager =>
    private[storage] def cache: SpillingCache
  }

  /** The cache of a block manager; None if the manager is Spark's own. */
  def of(manager: BlockManager): Option[SpillingCache] = manager match {
    case owner: Owner => Some(owner.cache)
    case _ => None
  }
}
