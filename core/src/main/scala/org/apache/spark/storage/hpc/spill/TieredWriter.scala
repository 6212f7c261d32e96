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

/** Writes a spill, segment by segment, in whichever tier has room for it.
  *
  * It keeps what callers know of Spark's writer, whose stream can't change its file in the middle. It
  * is stricter in one thing: what fails when the file is closed after its last segment is thrown.
  * When its task ends before it was closed, the file is deleted.
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

  // Null when closed: until the task ends, this is known to it.
  private var buffer: OutputStream = _
  // Of the segment that is being written, or null.
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
        // Serializers and codecs close what they write to after each segment.
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
    // Spark ends so, too, when all was committed with the last record: that has to be there.
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
    if (scratch.exists() && !scratch.delete()) logWarning(s"$scratch couldn't be deleted")
  }

  /** Lets go of a segment that nobody will read. */
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
    catch { case NonFatal(failure) => logInfo(s"$scratch is given up: $failure") }
}

private object TieredWriter {
  private val RecordsPerReport = 16384
}
