package org.sparkhpc.apps

import java.lang.management.ManagementFactory
import java.util.concurrent.atomic.AtomicBoolean

/** Tells the executor that runs this that its node is to be switched off, as a node's manager does. */
private[apps] object Decommissioning {
  private val begun = new AtomicBoolean

  def begin(): Unit = if (begun.compareAndSet(false, true)) {
    val process = ManagementFactory.getRuntimeMXBean.getName.takeWhile(_ != '@')
    new ProcessBuilder("kill", "-PWR", process).inheritIO().start().waitFor(): Unit
  }
}
