package org.apache.spark.hpc.container

import java.io.{Closeable, IOException}
import java.nio.ByteBuffer
import java.nio.channels.{ClosedByInterruptException, ClosedChannelException, FileChannel}
import java.nio.file.{OpenOption, Path}
import java.nio.file.StandardOpenOption.{CREATE_NEW, WRITE}

import scala.annotation.tailrec

/** A container to which outputs are added, by any number of threads at once.
  *
  *  1. Each write has a place of its own, so that no two wait for each other.
  *  1. An output is published by its record, after its blocks; what was published never changes.
  *  1. A record that couldn't be written may stand there in part. Then none comes after it: the container
  *     is full.
  *  1. An interrupt closes the channel that the interrupted thread writes to, and [[rest]] that of all; then
  *     the file is opened again, unnoticed.
  *
  * @param isForced whether what is published has to be on the device, since other nodes see it no sooner
  */
final class ContainerWriter private (path: Path, header: ContainerHeader, isForced: Boolean)
    extends Closeable {

  private var channel = open(CREATE_NEW, WRITE)
  private var isClosed = false
  private var indexEnd = ContainerHeader.Size.toLong
  private var reserved = 0L
  private var isFull = false
  private var dataEnd = header.dataStart

  try {
    put(header.bytes, 0)
    put(header.mark, header.markAt)
  } catch {
    case failure: Throwable =>
      channel.close()
      throw failure
  }

  /** Begins an output of so many partitions; None if the index may have no room for it. */
  def begin(partitions: Int): Option[OutputWriter] = synchronized {
    val most = MapOutput.mostBytes(partitions)
    if (isFull || indexEnd + reserved + most > header.markAt) None
    else {
      reserved += most
      Some(new OutputWriter(this, partitions, () => synchronized(reserved -= most)))
    }
  }

  /** Adds bytes, and says where they are. */
  private[container] def append(bytes: ByteBuffer): Extent = {
    val extent = synchronized {
      val begin = dataEnd
      dataEnd += bytes.remaining
      Extent(begin, bytes.remaining.toLong)
    }
    put(bytes, extent.offset)
    extent
  }

  /** Adds a record to the index. */
  private[container] def publish(record: ByteBuffer): Unit = synchronized {
    val end = indexEnd + record.remaining
    if (isFull || end > header.markAt) {
      throw new IOException(s"$path has no room for a record of ${record.remaining} bytes")
    }
    isFull = true
    put(record, indexEnd)
    if (isForced) force()
    isFull = false
    indexEnd = end
  }

  /** Has it hold no file open until the next write. */
  def rest(): Unit = synchronized(channel.close())

  /** Nothing is written any more. */
  override def close(): Unit = synchronized {
    isClosed = true
    channel.close()
  }

  private def open(options: OpenOption*): FileChannel = FileChannel.open(path, options: _*)

  @tailrec private def put(bytes: ByteBuffer, at: Long): Unit =
    if (!isPut(bytes.duplicate(), at)) put(bytes, at)

  /** False if another thread closed the channel meanwhile. */
  private def isPut(bytes: ByteBuffer, at: Long): Boolean = through { channel =>
    val begin = bytes.position()
    while (bytes.hasRemaining) channel.write(bytes, at + bytes.position() - begin)
  }

  @tailrec private def force(): Unit = if (!through(_.force(false))) force()

  private def through(action: FileChannel => Unit): Boolean =
    try {
      action(current())
      true
    } catch {
      case interrupt: ClosedByInterruptException => throw interrupt
      case _: ClosedChannelException if !synchronized(isClosed) => false
    }

  private def current(): FileChannel = synchronized {
    if (!isClosed && !channel.isOpen) channel = open(WRITE)
    channel
  }
}

object ContainerWriter {
  // Room for some hundred outputs of ten thousand partitions. It is all that a reader has to read at once.
  private val IndexBytes = 16L << 20

  /** Makes the file.
    *
    * @param partitions of the largest output
    */
  def create(path: Path, shuffle: Int, partitions: Int, isForced: Boolean): ContainerWriter = {
    val least = ContainerHeader.Size + ContainerHeader.CrcSize + MapOutput.mostBytes(partitions)
    val dataStart = (math.max(IndexBytes, least) + Aligned - 1) / Aligned * Aligned
    new ContainerWriter(path, ContainerHeader(shuffle, dataStart), isForced)
  }

  // To the stripes of a file system.
  private val Aligned = 1L << 20
}
