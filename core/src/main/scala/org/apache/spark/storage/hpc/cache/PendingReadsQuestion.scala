package org.apache.spark.storage.hpc.cache

import java.util.concurrent.RejectedExecutionException

import scala.util.control.NonFatal

import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.Logging
import org.apache.spark.storage.BlockId
import org.apache.spark.util.ThreadUtils
import org.sparkhpc.retain.RetentionPolicy

/** An executor's question to the driver when a stage begins on the executor. The answer is
  * [[org.sparkhpc.retain.PendingReads.counts]].
  */
private[storage] case object PendingReadsQuestion

/** Asks the question once for each stage, in a background thread, and passes the answer to the policy. */
private[storage] final class PendingReadsAsker(
    context: PluginContext,
    policy: RetentionPolicy[BlockId]
) extends Logging {
  private val thread = ThreadUtils.newDaemonSingleThreadExecutor("spark-hpc-pending-reads")
  @volatile private var latest = -1

  def stageBegan(stage: Int): Unit = if (stage != latest) {
    latest = stage
    try thread.execute(() => ask())
    catch { case _: RejectedExecutionException => () } // the executor ends
  }

  def stop(): Unit = thread.shutdownNow(): Unit

  private def ask(): Unit =
    try policy.referenced(context.ask(PendingReadsQuestion).asInstanceOf[Map[Int, Int]])
    catch {
      // The policy goes on with what it knew.
      case NonFatal(failure) => logDebug("Cannot ask the driver what its jobs will read", failure)
    }
}
