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

  /** What is to be remembered of a block while it is written to `to`. */
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

  /** What was written of the block, if it was, wholly. */
  def of(blockId: BlockId): Option[Content] = Option(written.get(blockId))

  def forget(blockId: BlockId): Unit = written.remove(blockId)

  /** Takes `bytes`, which are read and closed, as what was written. */
  def record(blockId: BlockId, bytes: InputStream): Unit =
    written.put(blockId, contentOf(bytes)): Unit

  /** Reads and closes `bytes`; an IOException unless they are those that were written, all of them. */
  def verify(blockId: BlockId, bytes: InputStream): Unit = {
    val expected = of(blockId)
    if (expected.isEmpty) {
      bytes.close()
      throw new IOException("it was never wholly written")
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
      if (found != this) throw new IOException(s"it holds $found where $this were written")
    }

    override def toString: String = f"$length bytes of CRC-32 $crc%08x"
  }
}
