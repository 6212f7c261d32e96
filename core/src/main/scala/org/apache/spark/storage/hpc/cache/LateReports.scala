package org.apache.spark.storage.hpc.cache

import java.util.concurrent.{
  CancellationException,
  ConcurrentHashMap,
  FutureTask,
  RejectedExecutionException
}

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.storage.BlockId
import org.apache.spark.util.ThreadUtils

/** Reports evicted blocks to the driver, in order, in a background thread.
  *
  * An eviction holds the memory manager's monitor, so it must not wait for the driver's answer. All methods are
  * thread-safe.
  */
private[storage] final class LateReports extends Logging {
  private val thread = ThreadUtils.newDaemonSingleThreadExecutor("spark-hpc-reports")
  private val pending = new ConcurrentHashMap[BlockId, FutureTask[Unit]]

  /** Queues a report of the block. */
  def later(blockId: BlockId)(send: => Unit): Unit = {
    val report = new FutureTask[Unit](() =>
      try send
      catch {
        case NonFatal(failure) =>
          logWarning(s"Cannot report the eviction of $blockId to the driver", failure)
      }
    ) {
      override protected def done(): Unit = pending.remove(blockId, this): Unit
    }
    pending.put(blockId, report)
    try thread.execute(report)
    catch { case _: RejectedExecutionException => report.run() }
  }

  /** Waits until the queued report of the block, if there is one, was sent. */
  def await(blockId: BlockId): Unit = {
    val last = pending.get(blockId)
    if (last != null) {
      try last.get()
      catch { case _: CancellationException => () }
    }
  }

  /** Cancels the queued reports, which no longer matter, and wakes the threads that wait for them. */
  def stop(): Unit = {
    thread.shutdownNow()
    pending.values.forEach(_.cancel(true): Unit)
  }
}
