package org.sparkhpc.tier

import java.io.{Closeable, FileOutputStream}
import java.nio.ByteBuffer

/** Writes a new file of a tier from its start on. */
private[tier] trait TierOutput extends Closeable {
  def file: TierFile
  def write(bytes: Array[Byte], offset: Int, length: Int): Unit
  def write(bytes: ByteBuffer): Unit

  /** Keeps only the first `length` bytes; the next ones are written after them. */
  def truncate(length: Long): Unit

  /** Returns when the device has what was written. */
  def sync(): Unit

  /** Whether it has bytes in memory that the tier may still refuse. If so, call [[finish]] before the close. */
  def holdsBytes: Boolean

  /** Writes the bytes that are in memory; no others may follow. */
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
