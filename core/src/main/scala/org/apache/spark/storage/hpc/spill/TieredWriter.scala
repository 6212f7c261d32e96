package org.apache.spark.storage.hpc.spill

import java.io.{BufferedOutputStream, File, OutputStream}
import java.util.zip.Checksum

import scala.util.control.NonFatal

import org.apache.spark.{SparkException, TaskContext}
import org.apache.spark.io.MutableCheckedOutputStream
import org.apache.spark.serializer.{SerializationStream, SerializerInstance, SerializerManager}
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter
import org.apache.spark.storage.{
  BlockId,
  DiskBlockObjectWriter,
  FileSegment,
  TimeTrackingOutputStream
}
import org.apache.spark.util.Utils
import org.sparkhpc.tier.{ScratchFile, TierStream, Tiers}

/** Writes a spill, segment by segment, to whichever tier has room for it.
  *
  * It keeps the contract of Spark's writer, whose stream cannot continue in another file. It is stricter in one point:
  * it throws the exception if closing the file after its last segment fails. If the task ends before the writer is
  * closed, the file is deleted.
  */
private[storage] final class TieredWriter(
    scratch: ScratchFile,
    tiers: Tiers,
    serializerManager: SerializerManager,
    serializer: SerializerInstance,
    bufferSize: Int,
    syncWrites: Boolean,
    metrics: ShuffleWriteMetricsReporter,
    blockId: BlockId,
    giveRoom: Long => Boolean
) extends DiskBlockObjectWriter(
      scratch,
      serializerManager,
      serializer,
      bufferSize,
      syncWrites,
      metrics,
      blockId
    ) {

  private val stream = new TierStream(scratch, tiers, giveRoom = giveRoom)
  private val timed = new TimeTrackingOutputStream(metrics, stream)
  private val checked = new MutableCheckedOutputStream(timed)
  private var isChecked = false
  private var isClosed = false

  // Null when closed, to free the memory: the task refers to this writer until it ends.
  private var buffer: OutputStream = _
  // The streams of the segment that is being written, or null.
  private var wrapped: OutputStream = _
  private var objects: SerializationStream = _

  private var committed = 0L
  private var reported = 0L
  private var records = 0L
  private var committedRecords = 0L

  for (context <- Option(TaskContext.get()))
    context.addTaskCompletionListener[Unit](_ => if (!isClosed) closeAndDelete())

  override def setChecksum(checksum: Checksum): Unit = {
    isChecked = true
    checked.setChecksum(checksum)
  }

  override def open(): DiskBlockObjectWriter = {
    if (isClosed) {
      throw SparkException.internalError(s"The writer of $scratch is closed", category = "STORAGE")
    }
    if (buffer == null) {
      buffer = new BufferedOutputStream(if (isChecked) checked else timed, bufferSize) {
        // Serializers and codecs close their output after each segment.
        override def close(): Unit = flush()
      }
    }
    wrapped = serializerManager.wrapStream(blockId, buffer)
    objects = serializer.serializeStream(wrapped)
    this
  }

  override def write(key: Any, value: Any): Unit = {
    if (objects == null) open()
    objects.writeKey(key)
    objects.writeValue(value)
    recordWritten()
  }

  override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
    if (objects == null) open()
    wrapped.write(bytes, offset, length)
  }

  override def recordWritten(): Unit = {
    records += 1
    metrics.incRecordsWritten(1)
    if (records % TieredWriter.RecordsPerReport == 0) report()
  }

  private def report(): Unit = {
    metrics.incBytesWritten(stream.position - reported)
    reported = stream.position
  }

  override def flush(): Unit = {
    objects.flush()
    wrapped.flush()
  }

  override def commitAndGet(): FileSegment =
    if (objects == null) {
      new FileSegment(scratch, committed, 0)
    } else {
      flush()
      endSegment()
      if (syncWrites) {
        val begun = System.nanoTime()
        stream.sync()
        metrics.incWriteTime(System.nanoTime() - begun)
      }
      val begin = committed
      committed = stream.position
      report()
      committedRecords += records
      records = 0
      new FileSegment(scratch, begin, committed - begin)
    }

  override def close(): Unit = if (!isClosed) {
    Utils.tryWithSafeFinally(commitAndGet(): Unit) {
      isClosed = true
      buffer = null
      stream.close()
    }
  }

  override def revertPartialWritesAndClose(): File = {
    if (!isClosed) {
      metrics.decBytesWritten(reported - committed)
      metrics.decRecordsWritten(records)
    }
    // Spark also ends this way after it committed the last record: then the file must be complete.
    val isWhole = objects == null
    abandon()
    if (isWhole) stream.truncate(committed) else attempt(stream.truncate(committed))
    scratch
  }

  override def closeAndDelete(): Unit = {
    if (!isClosed) {
      metrics.decBytesWritten(reported)
      metrics.decRecordsWritten(committedRecords + records)
    }
    abandon()
    attempt(stream.close())
    if (scratch.exists() && !scratch.delete()) logWarning(s"Cannot delete $scratch")
  }

  /** Abandons the current segment, which nobody will read. */
  private def abandon(): Unit = {
    isClosed = true
    attempt(endSegment())
    buffer = null
  }

  private def endSegment(): Unit = {
    val segment = Option(objects)
    objects = null
    wrapped = null
    segment.foreach(_.close())
  }

  private def attempt(action: => Unit): Unit =
    try action
    catch { case NonFatal(failure) => logInfo(s"Cannot clean up abandoned $scratch: $failure") }
}

private object TieredWriter {
  private val RecordsPerReport = 16384
}
