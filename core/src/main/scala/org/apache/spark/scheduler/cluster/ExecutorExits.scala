package org.apache.spark.scheduler.cluster

import scala.annotation.nowarn

import org.apache.spark.executor.ExecutorExitCode
import org.apache.spark.storage.hpc.scratch.ScratchFailures

/** Runs before `StandaloneSchedulerBackend.executorRemoved`. */
object ExecutorExits {

  /** Remembers that an executor could make no scratch directory. Such an executor ends before it registers with the
    * driver, so no listener is told. Returns false, so that Spark's own method runs next.
    */
  @nowarn("cat=unused-params") // Spark's method has them
  def before(
      backend: StandaloneSchedulerBackend,
      fullId: String,
      message: String,
      exitStatus: Option[Int],
      workerHost: Option[String]
  ): Boolean = {
    if (exitStatus.contains(ExecutorExitCode.DISK_STORE_FAILED_TO_CREATE_DIR))
      ScratchFailures.hasNoDirectory(fullId.split("/").last, workerHost)
    false
  }
}
