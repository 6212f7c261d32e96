package org.apache.spark.shuffle.hpc.write

import java.io.OutputStream

import org.apache.spark.security.CryptoStreamUtils
import org.apache.spark.shuffle.api.{ShuffleMapOutputWriter, ShufflePartitionWriter}
import org.apache.spark.shuffle.api.metadata.MapOutputCommitMessage
import org.apache.spark.shuffle.hpc.place.OwnContainers

/** Writes a map output to a container, partition by partition, for Spark's writers.
  *
  * An encrypted block that has nothing after its initialization vector is omitted. Spark writes such blocks for
  * partitions without rows when it merges spills, and not every codec can read them (snappy refuses an empty stream).
  *
  * @param isEncrypted whether each block begins with an initialization vector
  */
private[hpc] final class ContainerMapOutputWriter(
    pending: OwnContainers.Pending,
    mapTaskId: Long,
    partitions: Int,
    isEncrypted: Boolean
) extends ShuffleMapOutputWriter {

  private val lengths = new Array[Long](partitions)

  override def getPartitionWriter(partition: Int): ShufflePartitionWriter =
    new ShufflePartitionWriter {
      private var isOpen = false

      override def openStream(): OutputStream = {
        isOpen = true
        new OutputStream {
          // The initialization vector, which isn't written before more bytes come.
          private val vector =
            new Array[Byte](if (isEncrypted) CryptoStreamUtils.IV_LENGTH_IN_BYTES else 0)
          private var held = 0
          private var isHeld = true

          override def write(byte: Int): Unit = write(Array(byte.toByte), 0, 1)

          override def write(bytes: Array[Byte], offset: Int, count: Int): Unit = {
            val ofVector = math.min(count, vector.length - held)
            System.arraycopy(bytes, offset, vector, held, ofVector)
            held += ofVector
            if (count > ofVector) {
              if (isHeld) pending.output.write(vector, 0, held)
              isHeld = false
              pending.output.write(bytes, offset + ofVector, count - ofVector)
            }
          }

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
