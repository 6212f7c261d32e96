package org.apache.spark.shuffle.hpc.place

import java.util.concurrent.{Future, TimeUnit}

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.util.ThreadUtils

/** Removes the map outputs of shuffles in a thread of its own, because their file system may hang.
  *
  * Spark's cleaner has one thread for everything, and doesn't forget a shuffle whose removal throws.
  *
  * @param remove removes the map outputs of a shuffle
  */
private[hpc] final class Removals(remove: Int => Unit) extends Logging {
  import Removals._

  private val thread = ThreadUtils.newDaemonSingleThreadExecutor("spark-hpc-remove-outputs")

  /** Begins to remove a shuffle's outputs. If that fails, it logs a warning. */
  def begin(shuffle: Int): Future[_] = thread.submit(new Runnable {
    override def run(): Unit =
      try remove(shuffle)
      catch {
        case NonFatal(failure) =>
          logWarning(s"Map outputs of shuffle $shuffle stay until the application ends: $failure")
      }
  })

  /** Waits for the removals that were begun, at most 10 s. */
  def close(): Unit = {
    thread.shutdown()
    thread.awaitTermination(EndSeconds, TimeUnit.SECONDS): Unit
  }
}

private object Removals {
  private val EndSeconds = 10L
}
