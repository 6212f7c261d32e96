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

/** Reads blocks, and fails if they are not as they were written. */
private[storage] trait IntactBlocks { this: DiskStore =>

  protected def conf: SparkConf
  protected def securityManager: SecurityManager

  /** The checksums of the blocks that this store wrote. */
  protected val checksums = new BlockChecksums

  /** Why a block that this store wrote is damaged or cannot be read; None if it is intact. */
  def damage(blockId: BlockId): Option[String] =
    try {
      checksums.verify(blockId, getBytes(blockId).toInputStream())
      None
    } catch {
      case NonFatal(failure) => Some(failure.toString)
    }

  /** The content of a block that this store wrote; throws an IOException unless it is as it was written.
    *
    * All bytes must be verified before the first element may be used. A small block is read once, into memory. The file
    * of a larger block is read now, and again when the result is read.
    */
  def intact(blockId: BlockId): BlockData = {
    val file = getBytes(blockId)
    held(file.size, file.toInputStream())(checksums.verify(blockId, _)).fold(file) { bytes =>
      new ByteBufferBlockData(new ChunkedByteBuffer(bytes), shouldDispose = false)
    }
  }

  /** As the other [[intact]], for a block that another process's store wrote. */
  def intact(path: String, content: BlockChecksums.Content): ManagedBuffer = {
    val buffer = bufferOf(new File(path), content.length)
    held(content.length, buffer.createInputStream())(content.verify(_))
      .fold(buffer)(new NioManagedBuffer(_))
  }

  /** A block of so many bytes that another process's store wrote; it is not verified. */
  def bufferOf(file: File, length: Long): ManagedBuffer =
    securityManager.getIOEncryptionKey().fold[ManagedBuffer] {
      val transport = SparkTransportConf.fromSparkConf(conf, "shuffle")
      new FileSegmentManagedBuffer(transport, file, 0, length)
    }(key => new EncryptedManagedBuffer(new EncryptedBlockData(file, length, conf, key)))

  /** The length of the file of such a block. */
  def fileLength(length: Long): Long =
    securityManager.getIOEncryptionKey()
      .fold(length)(_ => length + CryptoStreamUtils.IV_LENGTH_IN_BYTES)

  /** Verifies a block. Returns the bytes of a small block; None for a large one, which is not kept in memory. */
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

  /** The bytes of the largest block that is kept in memory, uncharged; each task reads one block at a time. */
  val HeldBytes: Long = 8L << 20
}
