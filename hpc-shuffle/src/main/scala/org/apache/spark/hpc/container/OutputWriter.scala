package org.apache.spark.hpc.container

import java.io.{IOException, OutputStream}
import java.nio.ByteBuffer
import java.util.zip.CRC32

import scala.collection.mutable.ArrayBuffer

/** Writes one map output to a container: block after block, then [[publish]], or else [[abandon]].
  *
  * It has a buffer of its own, so that a small output is one write, and a large one some of a MiB each.
  * For one thread at a time.
  */
final class OutputWriter private[container] (
    container: ContainerWriter,
    partitions: Int,
    release: () => Unit
) extends OutputStream {
  import OutputWriter._

  private var buffer = ByteBuffer.allocate(FirstBuffer)
  private val crc = new CRC32
  private var length = 0L
  private var size = 0L
  private val extents = new ArrayBuffer[Extent](1)
  private var isOver = false

  override def write(byte: Int): Unit = write(Array(byte.toByte), 0, 1)

  override def write(bytes: Array[Byte], offset: Int, count: Int): Unit = {
    crc.update(bytes, offset, count)
    length += count
    put(ByteBuffer.wrap(bytes, offset, count))
  }

  /** How many bytes the block has that is being written. */
  def blockLength: Long = length

  /** Ends a block, and says how long it is; one without bytes is none. */
  def endBlock(): Long = {
    val ended = length
    if (ended > 0) put(ByteBuffer.allocate(ContainerHeader.CrcSize).putInt(0, crc.getValue.toInt))
    size += MapOutput.framed(ended)
    length = 0
    crc.reset()
    ended
  }

  /** Makes the output known to readers.
    *
    * @param lengths of the partitions: those that aren't 0 are those of the blocks, in their order
    */
  def publish(mapTaskId: Long, lengths: Array[Long]): Unit = {
    if (isOver) throw new IOException(s"Map output $mapTaskId was published or given up already")
    if (lengths.length != partitions || lengths.map(MapOutput.framed).sum != size || length > 0) {
      throw new IllegalArgumentException(
        s"map output $mapTaskId: ${lengths.length} lengths of ${lengths.sum} bytes don't go with " +
          s"$partitions partitions and blocks of $size bytes"
      )
    }
    writeOut()
    container.publish(MapOutput.record(mapTaskId, extents, lengths))
    abandon()
  }

  /** To be called in any case; what was published stays. */
  def abandon(): Unit = if (!isOver) {
    isOver = true
    buffer = Nothing
    release()
  }

  // Serializers and codecs flush after each block, which is no reason to write.
  private def writeOut(): Unit = if (buffer.position() > 0) {
    buffer.flip()
    val extent = container.append(buffer)
    buffer.clear()
    extents.lastOption match {
      case Some(before) if before.end == extent.offset =>
        extents(extents.size - 1) = Extent(before.offset, before.length + extent.length)
      case _ => extents += extent
    }
  }

  private def put(bytes: ByteBuffer): Unit = {
    if (isOver) throw new IOException("This map output was published or given up already")
    while (bytes.hasRemaining) {
      if (!buffer.hasRemaining) makeRoom()
      val part = bytes.duplicate()
      part.limit(bytes.position() + math.min(bytes.remaining, buffer.remaining))
      buffer.put(part)
      bytes.position(part.limit())
    }
  }

  private def makeRoom(): Unit =
    if (buffer.capacity < MostBuffer) {
      buffer.flip()
      buffer = ByteBuffer.allocate(buffer.capacity * 4).put(buffer)
    } else {
      writeOut()
    }
}

private object OutputWriter {
  private val FirstBuffer = 16 << 10
  private val MostBuffer = 1 << 20
  private val Nothing = ByteBuffer.allocate(0)
}
