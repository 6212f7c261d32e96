package org.apache.spark.shuffle.hpc

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.{AtomicBoolean, AtomicReference}

import scala.collection.JavaConverters._

import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.BlockFetchingListener

/** Passes on the blocks that their owner sends, and ends once: when all of them have come, or with
  * `otherwise` when one can't or the owner was given up.
  *
  * What comes after the end still goes to `answers`, which knows what is of use.
  */
private[hpc] final class OwnersAnswers(wanted: Seq[String], answers: AnsweredOnce)(
    otherwise: Throwable => Unit
) extends BlockFetchingListener {

  private val open = ConcurrentHashMap.newKeySet[String]()
  open.addAll(wanted.asJava)
  private val firstFailure = new AtomicReference[Throwable]
  private val hasEnded = new AtomicBoolean
  @volatile private var afterwards: () => Unit = () => ()

  /** To be called before anything is asked for. */
  def onEnd(action: () => Unit): Unit = afterwards = action

  def fail(failure: Throwable): Unit = {
    firstFailure.compareAndSet(null, failure)
    end()
  }

  override def onBlockFetchSuccess(blockId: String, data: ManagedBuffer): Unit = {
    answers.onBlockFetchSuccess(blockId, data)
    closed(blockId)
  }

  override def onBlockFetchFailure(blockId: String, failure: Throwable): Unit = {
    firstFailure.compareAndSet(null, failure)
    closed(blockId)
  }

  private def closed(blockId: String): Unit = {
    open.remove(blockId)
    if (open.isEmpty) end()
  }

  private def end(): Unit = if (hasEnded.compareAndSet(false, true)) {
    afterwards()
    Option(firstFailure.get).foreach(otherwise)
  }
}
