package org.apache.spark.hpc.scale

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{
  ExternalClusterManager,
  SchedulerBackend,
  TaskScheduler,
  TaskSchedulerImpl
}
import org.apache.spark.scheduler.cluster.CoarseGrainedSchedulerBackend

/** Master `spark-thin`: Spark's own scheduler and backend, which wait for executors that nobody starts for them. */
final class ThinClusterManager extends ExternalClusterManager {

  override def canCreate(master: String): Boolean = master == "spark-thin"

  override def createTaskScheduler(sc: SparkContext, master: String): TaskScheduler =
    new TaskSchedulerImpl(sc)

  override def createSchedulerBackend(
      sc: SparkContext,
      master: String,
      scheduler: TaskScheduler
  ): SchedulerBackend =
    new CoarseGrainedSchedulerBackend(scheduler.asInstanceOf[TaskSchedulerImpl], sc.env.rpcEnv)

  override def initialize(scheduler: TaskScheduler, backend: SchedulerBackend): Unit =
    scheduler.asInstanceOf[TaskSchedulerImpl].initialize(backend)
}
