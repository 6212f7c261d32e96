package org.apache.spark.storage.hpc.disk

import java.io.{ByteArrayInputStream, File, InputStream}
import java.nio.ByteBuffer

import scala.util.control.NonFatal

import com.google.common.io.ByteStreams
import org.apache.spark.{SecurityManager, SparkConf}
import org.apache.spark.network.buffer.{FileSegmentManagedBuffer, ManagedBuffer, NioManagedBuffer}
import org.apache.spark.network.netty.SparkTransportConf
import org.apache.spark.security.CryptoStreamUtils
import org.apache.spark.storage.{
  BlockData,
  BlockId,
  ByteBufferBlockData,
  DiskStore,
  EncryptedBlockData,
  EncryptedManagedBuffer
}
import org.apache.spark.util.io.ChunkedByteBuffer

/** Reads blocks only if they are as they were written. */
private[storage] trait IntactBlocks { this: DiskStore =>

  protected def conf: SparkConf
  protected def securityManager: SecurityManager

  /** Of what was written. */
  protected val checksums = new BlockChecksums

  /** Why a block that this store wrote can't be read as it was written; None if it can. */
  def damage(blockId: BlockId): Option[String] =
    try {
      checksums.verify(blockId, getBytes(blockId).toInputStream())
      None
    } catch {
      case NonFatal(failure) => Some(failure.toString)
    }

  /** What a block holds that this store wrote; an IOException unless it is as it was written.
    *
    * Its bytes have to be seen before the first element may be used. A small block is read once, into
    * memory; of a larger one the file is read now, and again by whoever reads the result.
    */
  def intact(blockId: BlockId): BlockData = {
    val file = getBytes(blockId)
    held(file.size, file.toInputStream())(checksums.verify(blockId, _)).fold(file) { bytes =>
      new ByteBufferBlockData(new ChunkedByteBuffer(bytes), shouldDispose = false)
    }
  }

  /** As the other [[intact]], of what another process's store wrote. */
  def intact(path: String, content: BlockChecksums.Content): ManagedBuffer = {
    val buffer = bufferOf(new File(path), content.length)
    held(content.length, buffer.createInputStream())(content.verify(_))
      .fold(buffer)(new NioManagedBuffer(_))
  }

  /** What another process's store wrote: a block of so many bytes. */
  def bufferOf(file: File, length: Long): ManagedBuffer =
    securityManager.getIOEncryptionKey().fold[ManagedBuffer] {
      val transport = SparkTransportConf.fromSparkConf(conf, "shuffle")
      new FileSegmentManagedBuffer(transport, file, 0, length)
    }(key => new EncryptedManagedBuffer(new EncryptedBlockData(file, length, conf, key)))

  /** How long the file of such a block is. */
  def fileLength(length: Long): Long =
    securityManager.getIOEncryptionKey()
      .fold(length)(_ => length + CryptoStreamUtils.IV_LENGTH_IN_BYTES)

  /** A small block's bytes; None for a large one, of which only the check has read. */
  private def held(size: Long, open: => InputStream)(
      verify: InputStream => Unit
  ): Option[ByteBuffer] =
    if (size > IntactBlocks.HeldBytes) {
      verify(open)
      None
    } else {
      val in = ByteStreams.limit(open, size + 1)
      val bytes =
        try ByteStreams.toByteArray(in)
        finally in.close()
      verify(new ByteArrayInputStream(bytes))
      Some(ByteBuffer.wrap(bytes))
    }
}

private[storage] object IntactBlocks {

  /** Of a block read into memory that nobody is charged for; each task reads one at a time. */
  val HeldBytes: Long = 8L << 20
}
