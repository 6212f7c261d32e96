package org.apache.spark

import java.util.concurrent.atomic.AtomicReference

import scala.util.Try

import org.apache.hadoop.util.ShutdownHookManager

/** The last line on a process's standard error: why it failed and what to do, which stack traces of hundreds of lines
  * would hide.
  */
private[spark] object LastWords {
  val Prefix = "spark-hpc: "

  private val words = new AtomicReference[String]

  /** To be said as the process ends, unless `forget` or `set` is called before. */
  def set(text: String): Unit = {
    words.set(text)
    hook
  }

  /** What failed goes well by now. */
  def forget(): Unit = words.set(null)

  private[spark] def now: Option[String] = Option(words.get)

  // The least priority there is, so that contexts have ended and directories are gone, and have said so. Not among
  // Spark's own hooks: one that ends with an Error is the last of them. A process that ends already takes no hook.
  private lazy val hook: Unit = Try {
    ShutdownHookManager.get.addShutdownHook(
      () => now.foreach(text => System.err.println(Prefix + text)),
      0
    )
  }
}
