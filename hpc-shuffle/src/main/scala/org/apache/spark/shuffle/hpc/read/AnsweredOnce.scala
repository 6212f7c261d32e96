package org.apache.spark.shuffle.hpc.read

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._

import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.BlockFetchingListener

/** Passes on exactly one answer for each block of a request, however many answers come.
  *
  * Spark's fetcher mistakes a second answer for that of another block, and waits for ever for a missing one. Whoever
  * requests blocks for it must therefore end with [[failRest]]. A late answer is dropped. The caller releases its
  * buffer when a method returns.
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

  /** The blocks without an answer, in the order of the request. */
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
