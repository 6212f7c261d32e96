package org.apache.spark.storage.hpc.cache

import java.io.File
import java.util.concurrent.ConcurrentHashMap

import scala.util.control.NonFatal

import com.codahale.metrics.Counter

import org.apache.spark.internal.Logging
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.storage.{BlockId, RDDBlockId}
import org.apache.spark.storage.hpc.disk.Causes

/** Lets every executor read cached blocks on disk in a global tier, even if the executor that wrote them has ended.
  *
  *  1. Spark's own ways to get a block come first: an executor may have it in memory.
  *  1. A block that is missing or damaged is removed from the list and computed again.
  *  1. When an RDD is unpersisted, each executor deletes its own blocks, and the driver deletes those of executors that
  *     have ended.
  */
private[storage] final class SharedReads(context: CacheContext) extends Logging {
  import context.{manager, onDisk}

  @volatile private var shared = Option.empty[SharedBlocks]

  /** To be called if a tier is shared. */
  def attach(blocks: SharedBlocks): Unit = shared = Some(blocks)

  /** The blocks that every executor can read; None where no tier is shared. */
  def blocks: Option[SharedBlocks] = shared

  /** The number of blocks that were read from a tier where another executor had put them. */
  val readOfOthers = new Counter

  private val ours = ConcurrentHashMap.newKeySet[RDDBlockId]()

  /** Called when a block was written to disk: lists it if other executors can read it there. */
  def share(blockId: BlockId): Unit =
    for {
      blocks <- shared
      id <- blockId.asRDDId
      (path, content) <- onDisk.placeForAll(id)
    } {
      ours.add(id)
      blocks.add(SharedBlock(id, manager.executorId, path, content))
    }

  /** Called when a block is no longer on disk. */
  def unshare(blockId: BlockId): Unit =
    for (blocks <- shared; id <- blockId.asRDDId if ours.remove(id))
      blocks.remove(id, manager.executorId)

  /** Reads a block that Spark found nowhere. */
  def find[T](blockId: BlockId, use: ManagedBuffer => T): Option[T] = {
    val there = for (blocks <- shared.toSeq; id <- blockId.asRDDId.toSeq; b <- blocks.of(id))
      yield b
    there.iterator.flatMap(read(_, use)).toStream.headOption
  }

  private def read[T](block: SharedBlock, use: ManagedBuffer => T): Option[T] =
    try {
      val values = use(onDisk.intact(block.path, block.content))
      readOfOthers.inc()
      logInfo(s"Read ${block.blockId} from ${block.path}, where executor ${block.executor} put it")
      Some(values)
    } catch {
      case NonFatal(failure) if !Causes.isInterrupt(failure) =>
        logWarning(s"Cannot read cached block ${block.blockId} from ${block.path}: $failure")
        shared.foreach(_.remove(block.blockId, block.executor))
        None
    }

  /** Called when the RDD was unpersisted. */
  def forget(rddId: Int): Unit =
    for {
      (executor, blocks) <- shared.toSeq.flatMap(_.forget(rddId)).groupBy(_.executor)
      if manager.master.getExecutorEndpointRef(executor).isEmpty
      block <- blocks
    } onDisk.disk.later(new File(block.path).delete()): Unit
}
