package org.apache.spark.shuffle.hpc

import java.io.OutputStream

import org.apache.spark.shuffle.api.{ShuffleMapOutputWriter, ShufflePartitionWriter}
import org.apache.spark.shuffle.api.metadata.MapOutputCommitMessage

/** Has Spark's writers write a map output to a container, partition by partition. */
private[hpc] final class ContainerMapOutputWriter(
    pending: OwnContainers.Pending,
    mapTaskId: Long,
    partitions: Int
) extends ShuffleMapOutputWriter {

  private val lengths = new Array[Long](partitions)

  override def getPartitionWriter(partition: Int): ShufflePartitionWriter =
    new ShufflePartitionWriter {
      private var isOpen = false

      override def openStream(): OutputStream = {
        isOpen = true
        new OutputStream {
          override def write(byte: Int): Unit = pending.output.write(byte)
          override def write(bytes: Array[Byte], offset: Int, count: Int): Unit =
            pending.output.write(bytes, offset, count)
          override def close(): Unit = if (isOpen) {
            isOpen = false
            lengths(partition) = pending.output.endBlock()
          }
        }
      }

      override def getNumBytesWritten: Long =
        if (isOpen) pending.output.blockLength else lengths(partition)
    }

  override def commitAllPartitions(checksums: Array[Long]): MapOutputCommitMessage = {
    pending.publish(mapTaskId, lengths)
    MapOutputCommitMessage.of(lengths)
  }

  override def abort(error: Throwable): Unit = pending.output.abandon()
}
