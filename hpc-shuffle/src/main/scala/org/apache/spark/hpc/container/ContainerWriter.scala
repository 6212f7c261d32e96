package org.apache.spark.hpc.container

import java.io.{Closeable, IOException, InputStream}
import java.nio.ByteBuffer
import java.nio.channels.{ClosedByInterruptException, ClosedChannelException, FileChannel}
import java.nio.file.{OpenOption, Path}
import java.nio.file.StandardOpenOption.{CREATE_NEW, READ, WRITE}

import scala.annotation.tailrec

/** A container to which outputs are added, by any number of threads at once.
  *
  *  1. Each write has a place of its own, so that no two wait for each other.
  *  1. An output is published by its record, after its blocks; what was published never changes.
  *  1. A record that couldn't be written may stand there in part. Then none comes after it: the container
  *     is full.
  *  1. Where there is no room for more, it has no more: an output goes on elsewhere, see [[OutputWriter]].
  *  1. An interrupt closes the channel that the interrupted thread writes to, and [[rest]] that of all; then
  *     the file is opened again, unnoticed.
  *
  * @param isForced whether what is published has to be on the device
  */
final class ContainerWriter private (
    path: Path,
    header: ContainerHeader,
    isForced: Boolean,
    room: Room
) extends Closeable {
  import ContainerWriter._

  private var channel = open(CREATE_NEW, READ, WRITE)
  private var isClosed = false
  private var indexEnd = ContainerHeader.Size.toLong
  private var reserved = 0L
  private var isFull = false
  // To be known without waiting for a write.
  @volatile private var dataEnd = header.dataStart
  @volatile private var published = 0L

  try {
    taking(header.bytes)(put(header.bytes, 0))
    put(header.mark, header.markAt)
  } catch {
    case failure: Throwable =>
      channel.close()
      throw failure
  }

  /** Room for the record of an output of so many partitions; None if the index may have none. */
  def lease(partitions: Int): Option[Lease] = synchronized {
    val most = MapOutput.mostBytes(partitions)
    if (isFull || indexEnd + reserved + most > header.markAt) None
    else {
      reserved += most
      Some(new Lease(this, most))
    }
  }

  /** Adds bytes, and says where they are. */
  private[container] def append(bytes: ByteBuffer): Extent = taking(bytes) {
    val extent = reserve(bytes.remaining.toLong)
    put(bytes, extent.offset)
    extent
  }

  /** A place for bytes that are written later, or never. */
  private[container] def reserve(length: Long): Extent = synchronized {
    val begin = dataEnd
    dataEnd += length
    Extent(begin, length)
  }

  /** Writes to a place that is reserved. */
  private[container] def write(bytes: ByteBuffer, at: Long): Unit = taking(bytes)(put(bytes, at))

  /** Of what was published. */
  def liveBytes: Long = published

  /** Of what was given up, or isn't published yet. */
  def deadBytes: Long = dataEnd - header.dataStart - published

  /** Adds a record to the index.
    *
    * @param size of the output, or of the merge
    */
  private[container] def publish(record: ByteBuffer, size: Long): Unit = synchronized {
    val end = indexEnd + record.remaining
    if (isFull || end > header.markAt) {
      throw new Refusal(s"$path has no room for a record of ${record.remaining} bytes")
    }
    isFull = true
    taking(record) {
      put(record, indexEnd)
      if (isForced) force()
    }
    isFull = false
    indexEnd = end
    published += size
  }

  /** Reads what was written. */
  private[container] def read(extents: Seq[Extent])(use: InputStream => Unit): Unit =
    use(new ExtentsStream(bytes, extents))

  /** What was written; an open of its own would be a request. */
  private[container] object bytes extends Bytes {
    override def name: String = path.toString

    @tailrec override def read(to: ByteBuffer, position: Long): Int = {
      var count = 0
      if (through(channel => count = channel.read(to, position))) count else read(to, position)
    }
  }

  private def taking[A](bytes: ByteBuffer)(write: => A): A = {
    val count = bytes.remaining
    if (!room.take(count)) throw new Refusal(s"$path may not have $count bytes more")
    try {
      val begun = System.nanoTime()
      val written = write
      room.wrote(count, System.nanoTime() - begun)
      written
    } catch {
      // It was closed, or its thread is interrupted.
      case closed: ClosedChannelException => throw closed
      case refusal: IOException =>
        room.refused(refusal)
        throw new Refusal(refusal.getMessage, refusal)
    }
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
      case closed: ClosedChannelException => if (synchronized(isClosed)) throw closed else false
      case failure: IOException =>
        throw new IOException(s"$path can't be read or written: ${failure.getMessage}", failure)
    }

  private def current(): FileChannel = synchronized {
    if (!isClosed && !channel.isOpen) channel = open(READ, WRITE)
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
  def create(
      path: Path,
      shuffle: Int,
      partitions: Int,
      isForced: Boolean,
      room: Room = Room.Unbounded
  ): ContainerWriter = {
    val least = ContainerHeader.Size + ContainerHeader.CrcSize + MapOutput.mostBytes(partitions)
    val dataStart = (math.max(IndexBytes, least) + Aligned - 1) / Aligned * Aligned
    new ContainerWriter(path, ContainerHeader(shuffle, dataStart), isForced, room)
  }

  /** Room for the record of one output in the index of a container, until it is released. */
  final class Lease private[ContainerWriter] (val container: ContainerWriter, bytes: Long) {
    private var isHeld = true

    def release(): Unit = container.synchronized {
      if (isHeld) container.reserved -= bytes
      isHeld = false
    }
  }

  /** A container takes no more; another one may. */
  final class Refusal(message: String, cause: IOException = null)
      extends IOException(message, cause)

  // To the stripes of a file system.
  private val Aligned = 1L << 20
}
