package org.apache.spark.hpc.profile

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging

/** A daemon thread that pauses and works in turn, until it is stopped or its work fails. Its pauses vary, so it is no
  * scheduled executor.
  *
  * @param name of the thread
  * @param lost what is missing if the work fails, for the log
  * @param pauseMillis the next pause
  */
private[profile] final class Repeated(name: String, lost: String, pauseMillis: () => Long)(
    work: => Unit
) extends Logging {
  @volatile private var isStopped = false

  private val thread = new Thread(() => run(), name)
  thread.setDaemon(true)

  def start(): Unit = thread.start()

  def stop(): Unit = {
    isStopped = true
    thread.interrupt()
  }

  private def run(): Unit =
    try
      while (!isStopped) {
        Thread.sleep(pauseMillis())
        work
      }
    catch {
      case _: InterruptedException => // stopped
      case NonFatal(_) if isStopped => // the driver or this executor ends
      case NonFatal(e) =>
        logWarning(s"The thread $name of Spark-HPC has failed: reports lack $lost.", e)
    }
}
