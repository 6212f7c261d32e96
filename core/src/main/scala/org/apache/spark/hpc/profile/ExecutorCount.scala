package org.apache.spark.hpc.profile

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.scheduler.{
  SparkListener,
  SparkListenerExecutorAdded,
  SparkListenerExecutorRemoved
}

/** Counts the executors that an application has, on its driver. */
private[profile] final class ExecutorCount extends SparkListener {
  private val number = new AtomicInteger

  def now: Int = number.get

  override def onExecutorAdded(added: SparkListenerExecutorAdded): Unit =
    number.incrementAndGet(): Unit

  override def onExecutorRemoved(removed: SparkListenerExecutorRemoved): Unit =
    number.decrementAndGet(): Unit
}
