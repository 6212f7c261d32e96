package org.apache.spark.shuffle.hpc.write

import java.io.File

import org.apache.spark.SparkEnv
import org.apache.spark.shuffle.{PlacedOutput, ShuffleWriteMetricsReporter}
import org.apache.spark.shuffle.hpc.place.OwnContainers
import org.apache.spark.storage.{BlockId, DiskBlockObjectWriter}

/** A task's metrics for one output. If all of the output fits in memory, Spark's sort of serialized records writes it
  * directly to its container.
  *
  * @param begin begins the output
  */
private[hpc] final class PlacedMetrics(
    metrics: ShuffleWriteMetricsReporter,
    begin: () => OwnContainers.Pending
) extends PlacedOutput {

  // Set when Spark reports records: it reports those of a spill when it writes the spill.
  private var isSpilled = false

  override def writer(
      blockId: BlockId,
      file: File,
      bufferSize: Int
  ): Option[DiskBlockObjectWriter] =
    if (isSpilled) None
    else {
      val serializers = SparkEnv.get.serializerManager
      Some(new SortedOutputWriter(begin().output, file, serializers, bufferSize, this, blockId))
    }

  override private[spark] def incRecordsWritten(count: Long): Unit = {
    isSpilled = true
    metrics.incRecordsWritten(count)
  }

  override private[spark] def incBytesWritten(count: Long): Unit = metrics.incBytesWritten(count)

  override private[spark] def incWriteTime(nanos: Long): Unit = metrics.incWriteTime(nanos)

  override private[spark] def decBytesWritten(count: Long): Unit = metrics.decBytesWritten(count)

  override private[spark] def decRecordsWritten(count: Long): Unit =
    metrics.decRecordsWritten(count)
}
