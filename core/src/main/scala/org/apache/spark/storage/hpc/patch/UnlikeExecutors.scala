package org.apache.spark.storage.hpc.patch

import org.apache.spark.{SparkContext, SparkException}
import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.{SparkListener, SparkListenerExecutorRemoved, TaskSchedulerImpl}

/** Ends the application with one error when an executor was lost because its build of Spark-HPC differs. Spark would
  * start ten more executors, which would fail as well.
  */
private[storage] class UnlikeExecutors(sc: SparkContext) extends SparkListener with Logging {

  override def onExecutorRemoved(removed: SparkListenerExecutorRemoved): Unit =
    SameBuild.mismatchIn(removed.executorId, removed.reason).foreach { message =>
      if (!sc.isStopped) {
        logError(message)
        // A listener must not stop the context from the bus's own thread.
        val stopper = new Thread(() => stop(message), "spark-hpc-stop")
        stopper.setDaemon(true)
        stopper.start()
      }
    }

  /** Fails running jobs with the message, then stops the context. */
  private def stop(message: String): Unit = {
    try
      sc.taskScheduler match {
        case scheduler: TaskSchedulerImpl => scheduler.error(message)
        case _ =>
      }
    catch {
      // Thrown if no job was running.
      case _: SparkException =>
    }
    sc.stop(1)
  }
}
