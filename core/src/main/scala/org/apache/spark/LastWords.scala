package org.apache.spark

import java.util.concurrent.atomic.AtomicReference

import scala.util.Try

import org.apache.spark.util.ShutdownHookManager

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

  // Its priority is the least: contexts end and directories are deleted before, and say so. A process that ends already
  // takes no hook.
  private lazy val hook: Unit =
    Try(ShutdownHookManager.addShutdownHook(0)(() =>
      now.foreach(text => System.err.println(Prefix + text))
    ))
}
