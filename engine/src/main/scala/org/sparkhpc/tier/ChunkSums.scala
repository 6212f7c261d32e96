package org.sparkhpc.tier

import java.util.zip.CRC32

import scala.collection.mutable

/** Checksums of a file, one for each [[ChunkSums.Chunk]] of it; the last chunk may be shorter. */
final class ChunkSums private[tier] {
  import ChunkSums._

  private val all = mutable.ArrayBuffer.empty[Long]
  private var lastLength = Chunk

  /** The number of bytes that the checksums cover. */
  def length: Long = all.size * Chunk.toLong - Chunk + lastLength

  /** Adds the checksum of the next chunk, which is the first `length` of these bytes. */
  def add(bytes: Array[Byte], length: Int): Unit = {
    all += sumOf(bytes, 0, length)
    lastLength = length
  }

  /** Keeps the checksums of the first `chunks` chunks, all of which are whole. */
  def keep(chunks: Int): Unit = {
    all.reduceToSize(chunks)
    lastLength = Chunk
  }

  /** Whether these bytes have the checksum of that chunk. */
  def isChunk(chunk: Int, bytes: Array[Byte], offset: Int, length: Int): Boolean =
    sumOf(bytes, offset, length) == all(chunk)

  private def sumOf(bytes: Array[Byte], offset: Int, length: Int): Long = {
    val sum = new CRC32
    sum.update(bytes, offset, length)
    sum.getValue
  }
}

object ChunkSums {
  val Chunk: Int = 1 << 16
}
