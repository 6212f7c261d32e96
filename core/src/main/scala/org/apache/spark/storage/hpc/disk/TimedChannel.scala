package org.apache.spark.storage.hpc.disk

import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel

import org.sparkhpc.tier.DiskRequests

/** A channel to a file. Each write is recorded as a request to the disk. */
private[storage] final class TimedChannel(requests: DiskRequests, to: WritableByteChannel)
    extends WritableByteChannel {

  override def write(bytes: ByteBuffer): Int = requests.during(to.write(bytes))

  override def isOpen: Boolean = to.isOpen

  override def close(): Unit = requests.during(to.close())
}
