package org.apache.spark

import java.util.concurrent.atomic.AtomicReference

import scala.util.Try

import org.apache.hadoop.util.ShutdownHookManager

/** Prints why the process failed and what to do, as the last line on standard error. Elsewhere, stack traces of
  * hundreds of lines would hide it.
  */
private[spark] object LastWords {
  val Prefix = "spark-hpc: "

  private val words = new AtomicReference[String]

  /** Sets the line that is printed when the process ends, unless `forget` or `set` is called before. */
  def set(text: String): Unit = {
    words.set(text)
    hook
  }

  /** Drops the line: what failed has succeeded since. */
  def forget(): Unit = words.set(null)

  private[spark] def now: Option[String] = Option(words.get)

  // The hook has the lowest priority: it runs after contexts have stopped and directories are deleted, so its line is
  // printed after theirs. It is not one of Spark's own hooks: when one of these throws an Error, the rest do not run.
  // Adding a hook fails in a process that is ending.
  private lazy val hook: Unit = Try {
    ShutdownHookManager.get.addShutdownHook(
      () => now.foreach(text => System.err.println(Prefix + text)),
      0
    )
  }
}
