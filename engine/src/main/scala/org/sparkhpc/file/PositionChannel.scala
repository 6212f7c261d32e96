package org.sparkhpc.file

import java.nio.ByteBuffer
import java.nio.channels.{FileChannel, WritableByteChannel}

/** The channel of an [[AheadInputStream]], through which Spark sets its position, reads and copies. */
private[file] final class PositionChannel(stream: AheadInputStream) extends RefusingChannel {

  private lazy val copy = new Array[Byte](PositionChannel.CopiedAtOnce)

  override def position(): Long = stream.position

  override def position(to: Long): FileChannel = {
    stream.position = to
    this
  }

  override def transferTo(at: Long, count: Long, to: WritableByteChannel): Long = {
    stream.position = at
    val length = math.max(0, stream.read(copy, 0, math.min(count, copy.length.toLong).toInt))
    val copied = ByteBuffer.wrap(copy, 0, length)
    while (copied.hasRemaining) to.write(copied)
    length.toLong
  }

  override def read(to: ByteBuffer): Int = {
    val length = stream.read(copy, 0, math.min(to.remaining, copy.length))
    if (length > 0) to.put(copy, 0, length)
    length
  }

  override protected def implCloseChannel(): Unit = stream.close()
}

private object PositionChannel {
  private val CopiedAtOnce = 1 << 16
}
