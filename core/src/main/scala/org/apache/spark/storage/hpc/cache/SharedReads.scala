package org.apache.spark.storage.hpc.cache

import java.io.File
import java.util.concurrent.ConcurrentHashMap

import scala.util.control.NonFatal

import com.codahale.metrics.Counter

import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.storage.{BlockId, RDDBlockId}
import org.apache.spark.storage.hpc.disk.Causes

/** Cached blocks on disk in a global tier are every executor's, and outlive the one that wrote them.
  *
  *  1. Spark's own ways to a block are first: its executor may have it in memory.
  *  1. What isn't there as it was written is forgotten, and computed again.
  *  1. When an RDD is unpersisted each executor deletes its own blocks, and the driver those of
  *     executors that are gone.
  */
private[spark] trait SharedReads extends SpilledReads {

  /** None where no tier is shared. */
  @volatile private[spark] var shared: Option[SharedBlocks] = None

  /** How many blocks of other executors were read where these had put them. */
  private[storage] val readOfOthers = new Counter

  private val ours = ConcurrentHashMap.newKeySet[RDDBlockId]()

  /** A block was written to disk. */
  protected def share(blockId: BlockId): Unit =
    for {
      blocks <- shared
      id <- blockId.asRDDId
      (path, content) <- store.placeForAll(id)
    } {
      ours.add(id)
      blocks.add(SharedBlock(id, executorId, path, content))
    }

  /** A block is on disk no longer. */
  protected def unshare(blockId: BlockId): Unit =
    for (blocks <- shared; id <- blockId.asRDDId if ours.remove(id)) blocks.remove(id, executorId)

  private[spark] override def getRemoteBlock[T](
      blockId: BlockId,
      bufferTransformer: ManagedBuffer => T
  ): Option[T] =
    super.getRemoteBlock(blockId, bufferTransformer).orElse {
      val there = for (blocks <- shared.toSeq; id <- blockId.asRDDId.toSeq; b <- blocks.of(id))
        yield b
      there.iterator.flatMap(read(_, bufferTransformer)).toStream.headOption
    }

  private def read[T](block: SharedBlock, use: ManagedBuffer => T): Option[T] =
    try {
      val values = use(store.intact(block.path, block.content))
      readOfOthers.inc()
      logInfo(s"Read ${block.blockId} from ${block.path}, where executor ${block.executor} put it")
      Some(values)
    } catch {
      case NonFatal(failure) if !Causes.isInterrupt(failure) =>
        logWarning(s"${block.blockId} can't be read from ${block.path}: $failure")
        shared.foreach(_.remove(block.blockId, block.executor))
        None
    }

  override def removeRdd(rddId: Int): Int = {
    val removed = super.removeRdd(rddId)
    for {
      (executor, blocks) <- shared.toSeq.flatMap(_.forget(rddId)).groupBy(_.executor)
      if master.getExecutorEndpointRef(executor).isEmpty
      block <- blocks
    } store.disk.later(new File(block.path).delete()): Unit
    removed
  }
}
