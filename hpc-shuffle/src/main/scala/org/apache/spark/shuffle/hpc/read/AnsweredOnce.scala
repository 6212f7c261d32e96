package org.apache.spark.shuffle.hpc.read

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._

import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.BlockFetchingListener

/** Answers for each block of a request exactly once, whoever answers first and however often.
  *
  * Spark's fetcher takes a second answer for another block's, and waits for ever for one that never
  * comes; so whoever asks on behalf of it has to end with [[failRest]]. A late answer is dropped: whoever
  * brings a buffer releases it when this returns.
  *
  * @param over called after the last answer
  */
private[hpc] final class AnsweredOnce(
    blockIds: Seq[String],
    listener: BlockFetchingListener,
    over: () => Unit = () => ()
) extends BlockFetchingListener {

  private val unanswered = ConcurrentHashMap.newKeySet[String]()
  unanswered.addAll(blockIds.asJava)
  private val left = new AtomicInteger(unanswered.size)

  /** The blocks that nobody has answered for yet, in their order. */
  def rest: Seq[String] = blockIds.filter(unanswered.contains)

  override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit =
    if (unanswered.remove(blockId)) {
      listener.onBlockFetchSuccess(blockId, data)
      answered()
    }

  override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit =
    if (unanswered.remove(blockId)) {
      listener.onBlockFetchFailure(blockId, failure)
      answered()
    }

  private def answered(): Unit = if (left.decrementAndGet() == 0) over()

  def failRest(failure: => Throwable): Unit = rest.foreach(onBlockFetchFailure(_, failure))
}
