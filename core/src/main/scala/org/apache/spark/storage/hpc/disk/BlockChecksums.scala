package org.apache.spark.storage.hpc.disk

import java.io.{IOException, InputStream}
import java.nio.ByteBuffer
import java.nio.channels.WritableByteChannel
import java.util.concurrent.ConcurrentHashMap
import java.util.zip.{CRC32, CheckedInputStream}

import com.google.common.io.ByteStreams
import org.apache.spark.storage.BlockId

/** CRC-32 and length of blocks as they were written to disk, before encryption. */
private[storage] final class BlockChecksums {
  import BlockChecksums._

  private val written = new ConcurrentHashMap[BlockId, Content]

  /** Writes a block to `to`, and records its checksum and length. */
  final class Recorder(blockId: BlockId, to: WritableByteChannel) extends FaithfulChannel(to) {
    private val crc = new CRC32
    private var length = 0L

    override def write(bytes: ByteBuffer): Int = {
      val before = bytes.duplicate()
      val count = super.write(bytes)
      before.limit(before.position() + count)
      crc.update(before)
      length += count
      count
    }

    override def complete(): Unit = {
      super.complete()
      written.put(blockId, Content(crc.getValue, length))
    }
  }

  /** The checksum and length of the block; None unless it was completely written. */
  def of(blockId: BlockId): Option[Content] = Option(written.get(blockId))

  def forget(blockId: BlockId): Unit = written.remove(blockId)

  /** Reads and closes `bytes`, and records them as what was written. */
  def record(blockId: BlockId, bytes: InputStream): Unit =
    written.put(blockId, contentOf(bytes)): Unit

  /** Reads and closes `bytes`; throws an IOException unless they are exactly the bytes that were written. */
  def verify(blockId: BlockId, bytes: InputStream): Unit = {
    val expected = of(blockId)
    if (expected.isEmpty) {
      bytes.close()
      throw new IOException("it was never completely written")
    }
    expected.foreach(_.verify(bytes))
  }
}

private[spark] object BlockChecksums {
  private def contentOf(bytes: InputStream): Content = {
    val in = new CheckedInputStream(bytes, new CRC32)
    try {
      val length = ByteStreams.copy(in, ByteStreams.nullOutputStream())
      Content(in.getChecksum.getValue, length)
    } finally in.close()
  }

  final case class Content(crc: Long, length: Long) {

    /** As [[BlockChecksums.verify]]. */
    def verify(bytes: InputStream): Unit = {
      val found = contentOf(bytes)
      if (found != this) throw new IOException(s"it has $found, but $this were written")
    }

    override def toString: String = f"$length bytes of CRC-32 $crc%08x"
  }
}
