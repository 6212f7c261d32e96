package org.apache.spark.hpc.profile

import org.apache.spark.{SparkConf, TaskContext}
import org.apache.spark.internal.config.Hpc

/** Gives each task of this process a [[TaskProfile]] that a [[TaskSampler]] fills. */
private[spark] final class TaskProfiling private (sampler: TaskSampler) {

  /** The calling thread begins a task. */
  def taskBegan(): Unit = {
    sampler.began(TaskProfile.ofTask())
    TaskContext.get.addTaskCompletionListener[Unit](_ => sampler.ended()): Unit
  }

  def stop(): Unit = sampler.stop()
}

private[spark] object TaskProfiling {

  /** Starts to sample; None if the settings say that nothing is sampled. */
  def start(conf: SparkConf): Option[TaskProfiling] = {
    val interval = conf.get(Hpc.PROFILE_INTERVAL)
    if (interval == 0) {
      None
    } else {
      val sampler = new TaskSampler(interval)
      sampler.start()
      Some(new TaskProfiling(sampler))
    }
  }
}
