package org.apache.spark.shuffle.hpc.write

import java.io.{BufferedOutputStream, File, OutputStream}
import java.util.zip.Checksum

import org.apache.spark.serializer.{DummySerializerInstance, SerializerManager}
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter
import org.apache.spark.storage.{BlockId, DiskBlockObjectWriter, FileSegment}
import org.apache.spark.storage.TimeTrackingOutputStream
import org.apache.spark.util.Utils
import org.sparkhpc.container.OutputWriter

/** A DiskBlockObjectWriter that writes partitions to a container's output, for Spark's sort of serialized records
  * (ShuffleExternalSorter).
  *
  * @param file never written; the returned segments name it
  */
private[hpc] final class SortedOutputWriter(
    output: OutputWriter,
    file: File,
    serializers: SerializerManager,
    bufferSize: Int,
    metrics: ShuffleWriteMetricsReporter,
    blockId: BlockId
) extends DiskBlockObjectWriter(
      file,
      serializers,
      DummySerializerInstance.INSTANCE,
      bufferSize,
      false,
      metrics,
      blockId
    ) {

  // Once it is set, nothing is written: a write of a killed task would be interrupted, and the disk may have refused an
  // earlier one.
  private var isGivenUp = false

  private val buffer =
    new BufferedOutputStream(new TimeTrackingOutputStream(metrics, output), bufferSize) {
      override def write(byte: Int): Unit = if (!isGivenUp) super.write(byte)

      override def write(bytes: Array[Byte], offset: Int, length: Int): Unit =
        if (!isGivenUp) super.write(bytes, offset, length)

      override def flush(): Unit = if (!isGivenUp) super.flush()

      // Codecs close their output after each partition.
      override def close(): Unit = flush()
    }

  // The codec's stream of the partition that is being written, or null.
  private var wrapped: OutputStream = _
  private var committed = 0L

  // Containers have checksums of their own.
  override def setChecksum(checksum: Checksum): Unit = ()

  override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
    if (wrapped == null) wrapped = serializers.wrapStream(blockId, buffer)
    wrapped.write(bytes, offset, length)
  }

  override def recordWritten(): Unit = metrics.incRecordsWritten(1)

  override def commitAndGet(): FileSegment = {
    if (wrapped != null) {
      wrapped.close()
      wrapped = null
    }
    val begin = committed
    committed += output.endBlock()
    metrics.incBytesWritten(committed - begin)
    new FileSegment(file, begin, committed - begin)
  }

  /** Discards what isn't committed, because nobody needs it. The codec is closed, since it may hold memory that garbage
    * collection doesn't free.
    */
  override def close(): Unit = {
    isGivenUp = true
    for (stream <- Option(wrapped)) Utils.tryLogNonFatalError(stream.close())
    wrapped = null
  }
}
