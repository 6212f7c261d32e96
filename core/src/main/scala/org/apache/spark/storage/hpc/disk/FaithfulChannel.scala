package org.apache.spark.storage.hpc.disk

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel

/** A channel to `to` that remembers a failed write, and marks it as the disk's failure.
  *
  * Kryo swallows exceptions, such as a full disk or an interrupt, while it closes its stream. That is when the last
  * bytes are written, of a small block all bytes. Without this channel, as in stock Spark, the block would be read back
  * with fewer elements and no error.
  */
private[storage] class FaithfulChannel(to: WritableByteChannel) extends WritableByteChannel {
  private var failure: IOException = _

  override def write(bytes: ByteBuffer): Int =
    try to.write(bytes)
    catch {
      case thrown: IOException =>
        DiskTrouble.mark(thrown)
        if (failure == null) failure = thrown
        throw thrown
    }

  /** To be called after the last write; throws the first exception of a write, if there was one. */
  def complete(): Unit = if (failure != null) throw failure

  override def isOpen: Boolean = to.isOpen

  override def close(): Unit = to.close()
}
