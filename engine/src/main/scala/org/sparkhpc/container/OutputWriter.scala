package org.sparkhpc.container

import java.io.{IOException, InputStream, OutputStream}
import java.nio.ByteBuffer
import java.util.zip.CRC32

import scala.annotation.tailrec
import scala.collection.mutable.ArrayBuffer

import org.apache.commons.io.IOUtils

/** Writes one map output to a container: block after block, then [[publish]], or else [[abandon]].
  *
  * It has a buffer of its own, so that a small output takes one write, and a large one some writes of a MiB each.
  * When its container takes no more, the output is copied to another one and continues there. The bytes of an
  * output that is abandoned, or was copied, are given back to their container. For one thread at a time.
  *
  * @param elsewhere leases room in another container, which is none of these; or throws the refusal of the last
  *   one
  */
final class OutputWriter(
    first: ContainerWriter.Lease,
    partitions: Int,
    elsewhere: (Set[ContainerWriter], ContainerWriter.Refusal) => ContainerWriter.Lease =
      (_, refusal) => throw refusal
) extends OutputStream {
  import OutputWriter._

  private var lease = first
  private var left = Set.empty[ContainerWriter]
  // Whether its record may be in the index, if only in part: then its bytes must stay.
  private var mayBePublished = false
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

  /** The container in which the output is now. */
  def container: ContainerWriter = lease.container

  /** The extents of the bytes that were written so far, in the order of the output. */
  def places: Seq[Extent] = extents.toList

  /** The length so far of the block that is being written. */
  def blockLength: Long = length

  /** Ends a block, and returns its length. Nothing is written for an empty block. */
  def endBlock(): Long = {
    val ended = length
    if (ended > 0) put(ByteBuffer.allocate(ContainerHeader.CrcSize).putInt(0, crc.getValue.toInt))
    size += MapOutput.framed(ended)
    length = 0
    crc.reset()
    ended
  }

  /** Writes blocks that follow each other in a stream. */
  def writeBlocks(in: InputStream, lengths: Array[Long]): Unit = {
    val bytes = new Array[Byte](CopiedAtOnce)
    for (length <- lengths) {
      IOUtils.copyLarge(in, this, 0, length, bytes)
      endBlock()
    }
  }

  /** Makes the output known to readers.
    *
    * @param lengths of all partitions: those that aren't 0 are the lengths of the blocks, in their order
    */
  def publish(mapTaskId: Long, lengths: Array[Long]): Unit = {
    if (isOver) throw new IOException(s"Map output $mapTaskId was already published or abandoned")
    if (lengths.length != partitions || lengths.map(MapOutput.framed).sum != size || length > 0) {
      throw new IllegalArgumentException(
        s"map output $mapTaskId: ${lengths.length} lengths of ${lengths.sum} bytes don't match " +
          s"$partitions partitions and blocks of $size bytes"
      )
    }
    writeOut()
    retrying {
      mayBePublished = true
      container.publish(MapOutput.record(mapTaskId, extents, lengths), size)
    }
    abandon()
  }

  /** Ends the writer. It must be called in any case; an output that was published stays. */
  def abandon(): Unit = if (!isOver) {
    isOver = true
    buffer = Nothing
    lease.release()
    if (!mayBePublished) container.giveBack(extents.toList)
  }

  // This isn't `flush`: serializers and codecs flush after each block, which is no reason to write.
  private def writeOut(): Unit = if (buffer.position() > 0) {
    buffer.flip()
    retrying(append(buffer))
    buffer.clear()
  }

  private def append(bytes: ByteBuffer): Unit = {
    val extent = container.append(bytes)
    extents.lastOption match {
      case Some(before) if before.end == extent.offset =>
        extents(extents.size - 1) = Extent(before.offset, before.length + extent.length)
      case _ => extents += extent
    }
  }

  /** Writes; if the container refuses, moves the output to another one and writes there. */
  @tailrec private def retrying(write: => Unit): Unit = {
    val refusal = refused(write)
    if (refusal.nonEmpty) {
      move(refusal.get)
      retrying(write)
    }
  }

  private def refused(write: => Unit): Option[ContainerWriter.Refusal] =
    try {
      write
      None
    } catch { case refusal: ContainerWriter.Refusal => Some(refusal) }

  private def move(refusal: ContainerWriter.Refusal): Unit = {
    val from = container
    val written = extents.toList
    val mayBePublishedThere = mayBePublished
    mayBePublished = false
    try {
      var last = Option(refusal)
      while (last.nonEmpty) {
        // These bytes were copied to a container that refused in the middle.
        if (container ne from) container.giveBack(extents.toList)
        extents.clear()
        left += container
        lease.release()
        lease = elsewhere(left, last.get)
        last = refused(if (written.nonEmpty) from.read(written)(copy))
      }
    } finally if (!mayBePublishedThere) from.giveBack(written)
  }

  private def copy(in: InputStream): Unit = {
    val bytes = new Array[Byte](MostBuffer)
    var count = IOUtils.read(in, bytes)
    while (count > 0) {
      append(ByteBuffer.wrap(bytes, 0, count))
      count = IOUtils.read(in, bytes)
    }
  }

  private def put(bytes: ByteBuffer): Unit = {
    if (isOver) throw new IOException("This map output was already published or abandoned")
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
  private val CopiedAtOnce = 64 << 10
  private val Nothing = ByteBuffer.allocate(0)
}
