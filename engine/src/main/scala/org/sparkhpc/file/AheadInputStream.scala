package org.sparkhpc.file

import java.io.{FileDescriptor, FileInputStream, IOException}
import java.nio.ByteBuffer
import java.nio.channels.FileChannel

/** A FileInputStream that reads from a file that is already open elsewhere, at a position of its own.
  *
  *  1. It reads ahead, `ahead` bytes at a time. A larger read bypasses the buffer.
  *  1. `available` returns the number of bytes that were read ahead: asking the file would cost a request, and
  *     Spark asks often.
  *  1. [[getChannel]] has a position, reads and copies. Methods of FileInputStream that aren't overridden here
  *     fail, since the stream has no descriptor.
  *
  * Not thread-safe. Closing the stream frees its buffer; the file stays open.
  */
abstract class AheadInputStream(path: String, ahead: Int)
    extends FileInputStream(new FileDescriptor) {
  import AheadInputStream._

  /** Reads some bytes from offset `at`; -1 at the end of the file. */
  protected def readAt(to: ByteBuffer, at: Long): Int

  // The bytes that were read ahead and not returned yet, and the offset in the file where they end.
  private var buffer = NoBytes
  private var end = 0L
  private var isOpen = true

  override def read(): Int = if (hasSome) buffer.get() & 0xff else -1

  override def read(bytes: Array[Byte]): Int = read(bytes, 0, bytes.length)

  override def read(bytes: Array[Byte], from: Int, count: Int): Int =
    if (count == 0) {
      0
    } else if (!buffer.hasRemaining && count >= ahead) {
      buffer.limit(0) // its bytes won't end at `end` after this read
      fetch(ByteBuffer.wrap(bytes, from, math.min(count, MostAtOnce)))
    } else if (hasSome) {
      val some = math.min(count, buffer.remaining)
      buffer.get(bytes, from, some)
      some
    } else {
      -1
    }

  override def skip(count: Long): Long = {
    position += count
    count
  }

  override def available(): Int = {
    requireOpen()
    buffer.remaining
  }

  override def getChannel: FileChannel = new PositionChannel(this)

  override def close(): Unit = {
    isOpen = false
    buffer = NoBytes
  }

  private[file] def position: Long = {
    requireOpen()
    end - buffer.remaining
  }

  private[file] def position_=(to: Long): Unit = {
    requireOpen()
    if (to < 0) throw new IOException(s"$path: position $to is negative")
    val from = end - buffer.limit
    if (to >= from && to <= end) {
      buffer.position((to - from).toInt)
    } else {
      buffer.limit(0)
      end = to
    }
  }

  /** Reads ahead if the buffer is empty. True if it then holds a byte. */
  private def hasSome: Boolean = {
    requireOpen()
    buffer.hasRemaining || {
      if (buffer eq NoBytes) buffer = ByteBuffer.allocate(ahead)
      buffer.clear()
      var count = 0
      try count = math.max(0, fetch(buffer))
      finally {
        buffer.position(0)
        buffer.limit(count)
      }
      count > 0
    }
  }

  private def fetch(to: ByteBuffer): Int = {
    requireOpen()
    val count = readAt(to, end)
    if (count > 0) end += count
    count
  }

  private def requireOpen(): Unit =
    if (!isOpen) throw new IOException(s"$path: the stream is closed")
}

private object AheadInputStream {
  private val NoBytes = ByteBuffer.allocate(0)

  // The JDK copies through an off-heap buffer as large as the read, and keeps it for the thread.
  private val MostAtOnce = 1 << 20
}
