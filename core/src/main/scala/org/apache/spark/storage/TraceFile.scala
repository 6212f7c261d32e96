package org.apache.spark.storage

import java.io.FileOutputStream
import java.nio.file.{Files, Paths}
import java.util.concurrent.{RejectedExecutionException, TimeUnit}

import scala.util.control.NonFatal

import org.apache.spark.SparkConf
import org.apache.spark.hpc.retain.trace.{TraceEvent, TraceRecorder, TraceWriter}
import org.apache.spark.internal.Logging
import org.apache.spark.util.ThreadUtils

/** One executor's trace, `DIR/APPLICATION-EXECUTOR.trace`, written by a thread of its own.
  *
  * @param executor its id; asked at the first event
  */
private[storage] final class TraceFile(dir: String, conf: SparkConf, executor: () => String)
    extends TraceRecorder
    with Logging {
  import TraceFile._

  private val thread = ThreadUtils.newDaemonSingleThreadExecutor("spark-hpc-trace")
  private var writer: Option[TraceWriter] = None
  private var events = 0L
  private var hasEnded = false

  override def record(event: TraceEvent): Unit = submit {
    val trace = writer.getOrElse(open())
    trace.write(event)
    events += 1
    if (events % FlushEvery == 0) trace.flush()
  }

  override def end(): Unit = {
    submit {
      hasEnded = true
      writer.foreach(_.close())
    }
    thread.shutdown()
    if (!thread.awaitTermination(EndSeconds, TimeUnit.SECONDS))
      logWarning(s"The trace in $dir has no end: it took longer than $EndSeconds s to write it")
  }

  private def open(): TraceWriter = {
    val folder = Files.createDirectories(Paths.get(dir))
    val file = folder.resolve(s"${conf.getAppId}-${executor()}.trace")
    val opened = new TraceWriter(new FileOutputStream(file.toFile))
    writer = Some(opened)
    logInfo(s"What happens to cached blocks is recorded in $file")
    opened
  }

  private def submit(step: => Unit): Unit = {
    val task: Runnable = () =>
      if (!hasEnded) {
        try step
        catch {
          case NonFatal(failure) =>
            hasEnded = true
            logWarning(s"The trace in $dir ends here: it couldn't be written", failure)
        }
      }
    try thread.execute(task)
    catch { case _: RejectedExecutionException => () } // the executor has ended
  }
}

private object TraceFile {
  private val FlushEvery = 10000
  private val EndSeconds = 10L
}
