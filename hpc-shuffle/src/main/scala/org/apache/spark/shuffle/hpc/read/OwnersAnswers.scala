package org.apache.spark.shuffle.hpc.read

import java.util.concurrent.{CompletableFuture, ConcurrentHashMap}
import java.util.concurrent.atomic.{AtomicBoolean, AtomicReference}

import scala.collection.JavaConverters._

import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.BlockFetchingListener
import org.apache.spark.shuffle.hpc.metrics.RouteCounts

/** Passes on the blocks that their owner sends, until all have come or have failed.
  *
  * Blocks that come after the end still go to `answers`, which drops those that nobody needs.
  */
private[hpc] final class OwnersAnswers(
    val wanted: Seq[String],
    answers: BlockFetchingListener,
    counts: RouteCounts
) extends BlockFetchingListener {

  /** Completes when all blocks have come. Fails with the cause if one can't be had or the owner is given up. */
  val end = new CompletableFuture[Unit]

  private val open = ConcurrentHashMap.newKeySet[String]()
  open.addAll(wanted.asJava)
  private val firstFailure = new AtomicReference[Throwable]
  private val isHeard = new AtomicBoolean
  private var bytes: () => Long = () => 0L
  private var lastBytes = 0L

  /** Whether anything has come since the last call, even if only a part of a block. */
  def wasHeard(): Boolean = synchronized {
    val now = bytes()
    val isMore = now != lastBytes
    lastBytes = now
    isHeard.getAndSet(false) || isMore
  }

  /** Sets the counter of the bytes that come from the owner. */
  def hear(count: => Long): Unit = synchronized {
    bytes = () => count
    lastBytes = count
  }

  override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit = {
    counts.networkBlocks.inc()
    counts.networkBytes.inc(data.size)
    answers.onBlockFetchSuccess(blockId, data)
    heard(blockId)
  }

  override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit = {
    firstFailure.compareAndSet(null, failure)
    heard(blockId)
  }

  private def heard(blockId: String): Unit = {
    isHeard.set(true)
    open.remove(blockId)
    if (open.isEmpty) {
      Option(firstFailure.get).fold(end.complete(()))(end.completeExceptionally): Unit
    }
  }
}
