package org.sparkhpc.hadoop

import java.io.{EOFException, IOException}
import java.nio.ByteBuffer

import org.apache.hadoop.fs.{FSExceptionMessages, FSInputStream, StreamCapabilities}
import org.apache.hadoop.fs.FileSystem.Statistics
import org.apache.hadoop.fs.statistics.{IOStatistics, IOStatisticsSource, StreamStatisticNames}
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding
import org.sparkhpc.file.SharedFile

/** Reads a file that may be open for other streams, too.
  *
  *  1. A file of at most 1 MiB is read whole by the first read.
  *  1. Of a larger file, reads in sequence fetch more and more at once, up to 1 MiB, ending at multiples of what they
  *     fetch, so that they fit a parallel file system's stripes. A read of 1 MiB or more goes past the buffer.
  *  1. If the file grows, what is new is read, too. If it is cut off, the stream ends there.
  *  1. A failed read throws `FSError`, as in Hadoop's own local file system.
  *
  * Thread-safe. Positional reads of a large file don't wait for each other.
  *
  * @param size the size that was found when the file was opened
  * @param window how many bytes are fetched at least
  * @param release called once, when the stream is closed
  */
private[hadoop] final class SharedFileStream(
    file: SharedFile,
    size: Long,
    window: Int,
    statistics: Statistics,
    release: SharedFile => Unit
) extends FSInputStream
    with StreamCapabilities
    with IOStatisticsSource {
  import SharedFileStream._

  private val isSmall = size <= Most
  private var at = 0L
  private var buffer = ByteBuffer.allocate(0)
  // The offset in the file of the buffer's first byte.
  private var start = 0L
  private var fetched = window
  @volatile private var isOpen = true

  private val counts = IOStatisticsBinding.iostatisticsStore()
    .withCounters(
      StreamStatisticNames.STREAM_READ_BYTES,
      StreamStatisticNames.STREAM_READ_EXCEPTIONS,
      StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS,
      StreamStatisticNames.STREAM_READ_SKIP_OPERATIONS,
      StreamStatisticNames.STREAM_READ_SKIP_BYTES
    )
    .build()

  override def getPos: Long = at

  override def seek(to: Long): Unit = {
    requireOpen()
    if (to < 0) throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK)
    counts.incrementCounter(StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS)
    at = to
  }

  override def seekToNewSource(to: Long): Boolean = false

  override def available(): Int = {
    requireOpen()
    math.max(0, math.min(Int.MaxValue, size - at)).toInt
  }

  override def skip(count: Long): Long = {
    val skipped = math.max(0, count)
    seek(at + skipped)
    counts.incrementCounter(StreamStatisticNames.STREAM_READ_SKIP_OPERATIONS)
    counts.incrementCounter(StreamStatisticNames.STREAM_READ_SKIP_BYTES, skipped)
    skipped
  }

  override def read(): Int = synchronized {
    if (!holds(at) && readsAhead(at, 1)) fill(at)
    if (holds(at)) {
      val one = buffer.get((at - start).toInt) & 0xff
      at += 1
      one
    } else {
      val one = new Array[Byte](1)
      if (read(one, 0, 1) < 0) -1 else one(0) & 0xff
    }
  }

  override def read(bytes: Array[Byte], from: Int, count: Int): Int = synchronized {
    validatePositionedReadArgs(at, bytes, from, count)
    val some = if (count == 0) 0 else readAt(at, bytes, from, count)
    if (some > 0) at += some
    some
  }

  override def read(position: Long, bytes: Array[Byte], from: Int, count: Int): Int = {
    validatePositionedReadArgs(position, bytes, from, count)
    if (count == 0) 0
    else if (isSmall) synchronized(readAt(position, bytes, from, count))
    else fetch(ByteBuffer.wrap(bytes, from, count), position)
  }

  override def hasCapability(name: String): Boolean =
    name.equalsIgnoreCase(StreamCapabilities.IOSTATISTICS)

  override def getIOStatistics: IOStatistics = counts

  override def close(): Unit = synchronized {
    if (isOpen) {
      isOpen = false
      buffer = ByteBuffer.allocate(0)
      release(file)
    }
  }

  private def readAt(position: Long, bytes: Array[Byte], from: Int, count: Int): Int = {
    requireOpen()
    val isAhead = holds(position) || readsAhead(position, count)
    if (isAhead && !holds(position)) fill(position)
    if (!isAhead) {
      fetch(ByteBuffer.wrap(bytes, from, count), position)
    } else if (holds(position)) {
      val some = math.min(count.toLong, start + buffer.limit - position).toInt
      System.arraycopy(buffer.array, (position - start).toInt, bytes, from, some)
      some
    } else {
      -1
    }
  }

  /** A small file that has grown is read by position behind its former end. */
  private def readsAhead(position: Long, count: Int): Boolean =
    if (isSmall) position < size else count < Most

  private def holds(position: Long): Boolean =
    position >= start && position < start + buffer.limit

  /** Reads ahead from the position. The buffer stays without it at the end of the file. */
  private def fill(position: Long): Unit =
    if (isSmall) {
      fillFrom(0, size.toInt)
    } else {
      val isNext = position > 0 && position == start + buffer.limit
      fetched = if (isNext) math.min(fetched * 2, Most) else window
      fillFrom(position, fetched - (position % fetched).toInt)
    }

  private def fillFrom(position: Long, count: Int): Unit = {
    val to = if (buffer.capacity >= count) buffer else ByteBuffer.allocate(count)
    to.clear().limit(count)
    buffer = to
    start = position
    try while (to.hasRemaining && fetch(to, position + to.position()) > 0) {}
    finally to.flip(): Unit
  }

  private def fetch(to: ByteBuffer, position: Long): Int = {
    requireOpen()
    // The JDK copies through a buffer outside the heap as large as the read, and keeps it for the thread.
    val limit = to.limit
    to.limit(math.min(limit, to.position() + Most))
    try {
      val count = file.read(to, position)
      if (count > 0) {
        statistics.incrementBytesRead(count)
        counts.incrementCounter(StreamStatisticNames.STREAM_READ_BYTES, count)
      }
      count
    } catch {
      case failure: IOException =>
        counts.incrementCounter(StreamStatisticNames.STREAM_READ_EXCEPTIONS)
        throw Failures.broken(failure)
    } finally to.limit(limit): Unit
  }

  private def requireOpen(): Unit =
    if (!isOpen) throw new IOException(s"${file.path}: ${FSExceptionMessages.STREAM_IS_CLOSED}")
}

private object SharedFileStream {
  private val Most = 1 << 20
}
