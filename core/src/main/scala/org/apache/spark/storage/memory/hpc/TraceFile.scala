package org.apache.spark.storage.memory.hpc

import java.nio.channels.Channels
import java.nio.file.{FileAlreadyExistsException, Files, OpenOption, Paths}
import java.nio.file.StandardOpenOption.{CREATE_NEW, WRITE}
import java.nio.file.attribute.PosixFilePermissions
import java.util.concurrent.{RejectedExecutionException, TimeUnit}

import scala.collection.JavaConverters._
import scala.util.control.NonFatal

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.util.ThreadUtils
import org.sparkhpc.retain.trace.{TraceEvent, TraceRecorder, TraceWriter}

/** One executor's trace, `DIR/APPLICATION-EXECUTOR.trace`, written by a background thread. A killed executor leaves all
  * but the last second of it.
  *
  * @param executor the executor's id, evaluated at the first event
  */
private[storage] final class TraceFile(dir: String, conf: SparkConf, executor: () => String)
    extends TraceRecorder
    with Logging {
  import TraceFile._

  private val thread = ThreadUtils.newDaemonSingleThreadScheduledExecutor("spark-hpc-trace")
  private var writer: Option[TraceWriter] = None
  private var hasEnded = false

  override def record(event: TraceEvent): Unit = submit {
    writer.getOrElse(open()).write(event)
  }

  override def end(): Unit = {
    submit {
      hasEnded = true
      writer.foreach(_.close())
    }
    thread.shutdown()
    if (!thread.awaitTermination(EndSeconds, TimeUnit.SECONDS))
      logWarning(s"The trace in $dir is incomplete: writing its end took more than $EndSeconds s")
  }

  private def open(): TraceWriter = {
    val folder = Files.createDirectories(Paths.get(dir))
    val file = folder.resolve(s"${conf.getAppId}-${executor()}.trace")
    // The name is predictable: an existing file may be another user's link to a file of this user.
    val channel = Files.newByteChannel(file, NewFile, OfItsUser)
    val opened = new TraceWriter(Channels.newOutputStream(channel))
    writer = Some(opened)
    val flush = guarded(opened.flush())
    thread.scheduleWithFixedDelay(flush, FlushSeconds, FlushSeconds, TimeUnit.SECONDS)
    logInfo(s"Recording the events of cached blocks in $file")
    opened
  }

  private def submit(step: => Unit): Unit =
    try thread.execute(guarded(step))
    catch { case _: RejectedExecutionException => () } // the executor has ended

  private def guarded(step: => Unit): Runnable = () =>
    if (!hasEnded) {
      try step
      catch {
        case NonFatal(failure) =>
          hasEnded = true
          failure match {
            case _: FileAlreadyExistsException =>
              logWarning(
                s"No trace is written: ${failure.getMessage} already exists. Remove it, or name " +
                  s"another directory with ${Hpc.RETENTION_TRACE.key}"
              )
            case _ => logWarning(s"Cannot write the trace in $dir: it ends here", failure)
          }
      }
    }
}

private[storage] object TraceFile {

  /** The trace of this executor; None if `spark.hpc.retention.trace` is not set. */
  def of(conf: SparkConf): Option[TraceFile] =
    // A function: the executor's id is not known yet.
    conf.get(Hpc.RETENTION_TRACE).map(new TraceFile(_, conf, () => SparkEnv.get.executorId))

  private val NewFile = Set[OpenOption](CREATE_NEW, WRITE).asJava
  private val OfItsUser =
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  private val FlushSeconds = 1L
  private val EndSeconds = 10L
}
