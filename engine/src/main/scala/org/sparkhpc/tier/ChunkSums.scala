package org.sparkhpc.tier

import java.util.zip.CRC32

import scala.collection.mutable

/** Checksums of a file, one for each [[ChunkSums.Chunk]] of it; the last chunk may be shorter. */
final class ChunkSums private[tier] {
  import ChunkSums._

  private val all = mutable.ArrayBuffer.empty[Long]
  private var lastLength = Chunk

  /** Of so many bytes. */
  def length: Long = all.size * Chunk.toLong - Chunk + lastLength

  /** The next chunk is the first so many of these bytes. */
  def add(bytes: Array[Byte], length: Int): Unit = {
    all += sumOf(bytes, 0, length)
    lastLength = length
  }

  /** Only so many chunks stay, all of them whole. */
  def keep(chunks: Int): Unit = {
    all.reduceToSize(chunks)
    lastLength = Chunk
  }

  /** Whether these are the bytes of that chunk. */
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
