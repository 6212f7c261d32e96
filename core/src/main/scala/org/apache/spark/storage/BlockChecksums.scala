package org.apache.spark.storage

import java.io.{IOException, InputStream}
import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel
import java.util.concurrent.ConcurrentHashMap
import java.util.zip.{CRC32, CheckedInputStream}

import com.google.common.io.ByteStreams

/** CRC-32 and length of blocks as they were written to disk, before encryption. */
private[storage] final class BlockChecksums {
  import BlockChecksums._

  private val written = new ConcurrentHashMap[BlockId, Content]

  /** A channel to `to` that remembers what went through and marks what `to` throws as its trouble;
    * `complete` once the block is whole.
    */
  final class Recorder(blockId: BlockId, to: WritableByteChannel) extends WritableByteChannel {
    private val crc = new CRC32
    private var length = 0L

    override def write(bytes: ByteBuffer): Int = {
      val before = bytes.duplicate()
      val count =
        try to.write(bytes)
        catch {
          case failure: IOException =>
            DiskTrouble.mark(failure)
            throw failure
        }
      before.limit(before.position() + count)
      crc.update(before)
      length += count
      count
    }

    def complete(): Unit = written.put(blockId, Content(crc.getValue, length))

    override def isOpen: Boolean = to.isOpen

    override def close(): Unit = to.close()
  }

  def forget(blockId: BlockId): Unit = written.remove(blockId)

  /** Throws an IOException unless the bytes are those that were written, all of them. */
  def verify(blockId: BlockId, open: () => InputStream): Unit = {
    val expected = written.get(blockId)
    if (expected == null) throw new IOException("it was never wholly written")
    val in = new CheckedInputStream(open(), new CRC32)
    try {
      val length = ByteStreams.copy(in, ByteStreams.nullOutputStream())
      val found = Content(in.getChecksum.getValue, length)
      if (found != expected) throw new IOException(s"it holds $found where $expected were written")
    } finally in.close()
  }
}

private object BlockChecksums {
  final case class Content(crc: Long, length: Long) {
    override def toString: String = f"$length bytes of CRC-32 $crc%08x"
  }
}
