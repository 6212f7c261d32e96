package org.apache.spark.storage.hpc.disk

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel

/** A channel to `to` on which no failure of a write is lost.
  *
  * Kryo swallows what fails while its stream is closed, which is when the last bytes are written, and
  * of a small block all of them: a full disk, or an interrupt. The block would come back with fewer
  * elements, and nobody would know. (So it is in stock Spark.) What fails is marked as the disk's.
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

  /** To be called after the last write; throws what a write threw, if any did. */
  def complete(): Unit = if (failure != null) throw failure

  override def isOpen: Boolean = to.isOpen

  override def close(): Unit = to.close()
}
