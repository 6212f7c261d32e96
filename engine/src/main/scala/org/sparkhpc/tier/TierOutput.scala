package org.sparkhpc.tier

import java.io.{Closeable, FileOutputStream}
import java.nio.ByteBuffer

/** Writes a new file of a tier from its start on. */
private[tier] trait TierOutput extends Closeable {
  def file: TierFile
  def write(bytes: Array[Byte], offset: Int, length: Int): Unit
  def write(bytes: ByteBuffer): Unit

  /** Only so many of the bytes stay; the next come after them. */
  def truncate(length: Long): Unit

  /** What was written is on the device. */
  def sync(): Unit

  /** Whether it has bytes in memory that the tier may yet refuse: [[finish]] first, then close. */
  def holdsBytes: Boolean

  /** Writes those; there won't be any more. */
  def finish(): Unit
}

private[tier] final class PlainOutput(val file: PlainFile, out: FileOutputStream)
    extends TierOutput {
  override def write(bytes: Array[Byte], offset: Int, length: Int): Unit =
    out.write(bytes, offset, length)

  override def write(bytes: ByteBuffer): Unit =
    while (bytes.hasRemaining) out.getChannel.write(bytes)

  override def truncate(length: Long): Unit = out.getChannel.truncate(length): Unit
  override def sync(): Unit = out.getFD.sync()
  override def holdsBytes: Boolean = false
  override def finish(): Unit = ()
  override def close(): Unit = out.close()
}
