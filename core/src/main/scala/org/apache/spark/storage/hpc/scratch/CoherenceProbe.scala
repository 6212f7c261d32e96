package org.apache.spark.storage.hpc.scratch

import java.io.File
import java.util.concurrent.TimeUnit

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.sparkhpc.probe.{ProbeJury, ProbeRounds}
import org.sparkhpc.tier.{Coherences, DirectoryToken}

/** Finds out, on an executor, whether nodes see at once what others write to files that stay open. The driver has a few
  * executors measure that with it, and tells the others.
  *
  * Until an executor is told, and if it never is, the file system's type decides.
  *
  * @param directories the driver's directories on shared file systems
  * @param ask asks the driver one of the [[CoherenceMessages]]
  * @param where names this executor in the driver's log
  * @param clock a clock in nanoseconds, which tests replace
  */
private[storage] final class CoherenceProbe(
    directories: Seq[String],
    coherences: Coherences,
    ask: Any => Any,
    where: String,
    clock: () => Long = () => System.nanoTime(),
    pause: Long => Unit = Thread.sleep(_)
) extends Logging {
  import CoherenceMessages._
  import CoherenceProbe._

  private val thread = new Thread(() => directories.foreach(probe), "hpc-coherence-probe")
  thread.setDaemon(true)

  /** Starts in the background, so that no task waits for it. */
  def start(): Unit = thread.start()

  def stop(): Unit = thread.interrupt()

  private[scratch] def probe(directory: String): Unit =
    try {
      val fileSystem = coherences.of(new File(directory))
      for (client <- fileSystem.client)
        DirectoryToken.within(LongestNanos, clock, pause) {
          ask(Question(directory, client)) match {
            case ProbeJury.Told(sawAtOnce) =>
              fileSystem.tell(sawAtOnce)
              logInfo(s"$directory ($fileSystem): coherence is ${fileSystem.coherence}")
              true
            case ProbeJury.Measure =>
              ask(Ended(directory, client, measured(directory, client), where))
              false
            case _ => false
          }
        }
    } catch {
      case _: InterruptedException => // the executor ends
      case NonFatal(failure) =>
        logWarning(s"Cannot find out whether the file system of $directory is coherent: $failure")
    }

  private def measured(directory: String, client: String): ProbeRounds.Outcome =
    try {
      val own = create(directory)
      try
        ask(Begun(directory, client, named(own))).asInstanceOf[Option[Named]] match {
          case None => ProbeRounds.Unclear("the driver doesn't see a new file")
          case Some(theirs) =>
            val others = theirs.open(directory)
            def exchange(round: Int): Boolean =
              ask(Round(directory, client, round)).asInstanceOf[Boolean]
            try
              if (others.sees(0)) new ProbeRounds(own, others, exchange, clock).run()
              else ProbeRounds.Unclear("the executor doesn't see a new file")
            finally others.close()
        }
      finally own.close()
    } catch { case NonFatal(failure) => ProbeRounds.Unclear(failure.toString) }
}

private object CoherenceProbe {
  private val LongestNanos = TimeUnit.SECONDS.toNanos(30)
}
