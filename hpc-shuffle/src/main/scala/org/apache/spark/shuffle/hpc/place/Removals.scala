package org.apache.spark.shuffle.hpc.place

import java.util.concurrent.{Future, TimeUnit}

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.util.ThreadUtils

/** Removes what nobody needs from a file system that may stand still, in a thread of its own: Spark's cleaner
  * has one for everything, and keeps what it knows of a shuffle whose removal throws.
  *
  * @param remove the map outputs of a shuffle
  */
private[hpc] final class Removals(remove: Int => Unit) extends Logging {
  import Removals._

  private val thread = ThreadUtils.newDaemonSingleThreadExecutor("spark-hpc-remove-outputs")

  /** What can't be removed is a warning. */
  def begin(shuffle: Int): Future[_] = thread.submit(new Runnable {
    override def run(): Unit =
      try remove(shuffle)
      catch {
        case NonFatal(failure) =>
          logWarning(s"Map outputs of shuffle $shuffle stay until the application ends: $failure")
      }
  })

  /** Waits for what was begun, but not for ever. */
  def close(): Unit = {
    thread.shutdown()
    thread.awaitTermination(EndSeconds, TimeUnit.SECONDS): Unit
  }
}

private object Removals {
  private val EndSeconds = 10L
}
