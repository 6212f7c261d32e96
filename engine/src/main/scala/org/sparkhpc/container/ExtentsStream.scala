package org.sparkhpc.container

import java.io.InputStream
import java.nio.ByteBuffer

/** Reads the bytes of extents, one after the other, a MiB at a time. Throws EOFException if the file ends before. */
private[container] final class ExtentsStream(bytes: Bytes, extents: Seq[Extent])
    extends InputStream {

  private var rest = extents.toList
  private var buffer = ByteBuffer.allocate(0)

  override def read(): Int = if (hasSome) buffer.get() & 0xff else -1

  override def read(to: Array[Byte], from: Int, count: Int): Int =
    if (count == 0) 0
    else if (hasSome) {
      val some = math.min(count, buffer.remaining)
      buffer.get(to, from, some)
      some
    } else {
      -1
    }

  override def available(): Int = buffer.remaining

  private def hasSome: Boolean = {
    if (!buffer.hasRemaining) {
      rest match {
        case extent :: others =>
          val count = math.min(extent.length, ExtentsStream.AtOnce)
          if (buffer.capacity < count) buffer = ByteBuffer.allocate(count.toInt)
          buffer.clear()
          buffer.limit(count.toInt)
          bytes.fill(buffer, extent.offset)
          val left = Extent(extent.offset + count, extent.length - count)
          rest = if (left.length > 0) left :: others else others
        case Nil =>
      }
    }
    buffer.hasRemaining
  }
}

private object ExtentsStream {
  private val AtOnce = 1L << 20
}
