package org.apache.spark.storage.hpc.disk

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel

import org.sparkhpc.tier.MemoryShare

/** A channel to a file in memory that charges its bytes to a [[MemoryShare]]. When the share is used up, a write fails
  * as on a full disk.
  */
private[storage] final class SharedMemoryChannel(
    name: String,
    share: MemoryShare,
    to: WritableByteChannel
) extends WritableByteChannel {

  override def write(bytes: ByteBuffer): Int = {
    val count = bytes.remaining
    if (!share.take(name, count)) {
      throw new IOException(
        s"this process has used up the ${share.limit} bytes of memory that its files may take"
      )
    }
    while (bytes.hasRemaining) to.write(bytes)
    count
  }

  override def isOpen: Boolean = to.isOpen

  override def close(): Unit = to.close()
}
