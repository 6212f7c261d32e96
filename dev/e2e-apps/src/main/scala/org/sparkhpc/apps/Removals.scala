package org.sparkhpc.apps

import org.apache.spark.scheduler.{SparkListener, SparkListenerExecutorRemoved}

/** The executors that are gone. */
private[apps] final class Removals extends SparkListener {
  private var gone = Set.empty[String]

  override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit = synchronized {
    gone += event.executorId
    notifyAll()
  }

  /** Returns when this one is. */
  def await(executor: String): Unit = synchronized {
    val end = System.nanoTime() + Removals.Nanos
    while (!gone(executor)) {
      if (System.nanoTime() > end) throw new IllegalStateException(s"$executor is still there")
      wait(1000)
    }
  }
}

private object Removals {
  private val Nanos = 120L * 1000 * 1000 * 1000
}
