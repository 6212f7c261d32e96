package org.sparkhpc.file

import java.io.{FileDescriptor, FileInputStream, IOException}
import java.nio.ByteBuffer
import java.nio.channels.FileChannel

/** A FileInputStream with a position of its own that opens nothing: it reads from a file that others
  * have open.
  *
  *  1. It reads ahead, `ahead` bytes at a time; a read of more goes past that.
  *  1. `available` is what was read ahead: asking the file would be a request, and Spark asks often.
  *  1. [[getChannel]] has a position, reads and copies. What isn't overridden here fails, since the
  *     stream has no descriptor.
  *
  * For one thread at a time. Closing it frees its buffer; the file stays open.
  */
abstract class AheadInputStream(path: String, ahead: Int)
    extends FileInputStream(new FileDescriptor) {
  import AheadInputStream._

  /** Reads some bytes from there on, or -1 at the end. */
  protected def readAt(to: ByteBuffer, at: Long): Int

  // What was read ahead and not taken yet, and where in the file that ends.
  private var buffer = NoBytes
  private var end = 0L
  private var isOpen = true

  override def read(): Int = if (hasSome) buffer.get() & 0xff else -1

  override def read(bytes: Array[Byte]): Int = read(bytes, 0, bytes.length)

  override def read(bytes: Array[Byte], from: Int, count: Int): Int =
    if (count == 0) {
      0
    } else if (!buffer.hasRemaining && count >= ahead) {
      buffer.limit(0) // what is in it doesn't end where the file will be read next
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
    if (to < 0) throw new IOException(s"$path has no position $to")
    val from = end - buffer.limit
    if (to >= from && to <= end) {
      buffer.position((to - from).toInt)
    } else {
      buffer.limit(0)
      end = to
    }
  }

  /** Whether there is another byte, which is then in the buffer. */
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

  // The JDK copies through a buffer outside the heap of this size, and keeps it for the thread.
  private val MostAtOnce = 1 << 20
}
