package org.apache.spark.storage.hpc.cache

import java.util.concurrent.RejectedExecutionException

import scala.util.control.NonFatal

import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.Logging
import org.apache.spark.storage.BlockId
import org.apache.spark.util.ThreadUtils
import org.sparkhpc.retain.RetentionPolicy

/** What an executor asks the driver when a stage begins there; the answer is
  * [[org.sparkhpc.retain.PendingReads.counts]].
  */
private[storage] case object PendingReadsQuestion

/** Asks it once for each stage, in a thread of its own, and tells the policy the answer. */
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
      case NonFatal(failure) => logDebug("The driver didn't say what is still to be read", failure)
    }
}
