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

/** Tells the driver what became of evicted blocks, in a thread of its own and in order.
  *
  * An eviction holds the memory manager's monitor, and the driver's answer takes as long as it takes.
  * All methods are thread-safe.
  */
private[storage] final class LateReports extends Logging {
  private val thread = ThreadUtils.newDaemonSingleThreadExecutor("spark-hpc-reports")
  private val pending = new ConcurrentHashMap[BlockId, FutureTask[Unit]]

  /** Sends a report of the block soon. */
  def later(blockId: BlockId)(send: => Unit): Unit = {
    val report = new FutureTask[Unit](() =>
      try send
      catch {
        case NonFatal(failure) =>
          logWarning(s"The driver couldn't be told what became of $blockId", failure)
      }
    ) {
      override protected def done(): Unit = pending.remove(blockId, this): Unit
    }
    pending.put(blockId, report)
    try thread.execute(report)
    catch { case _: RejectedExecutionException => report.run() }
  }

  /** Returns when what was to be told of the block later has been told. */
  def await(blockId: BlockId): Unit = {
    val last = pending.get(blockId)
    if (last != null) {
      try last.get()
      catch { case _: CancellationException => () }
    }
  }

  /** What wasn't told yet no longer matters, and nobody waits for it. */
  def stop(): Unit = {
    thread.shutdownNow()
    pending.values.forEach(_.cancel(true): Unit)
  }
}
