package org.apache.spark.storage.hpc.spill

import java.nio.ByteBuffer

import org.sparkhpc.file.AheadInputStream
import org.sparkhpc.tier.{ChunkSums, RecycledFile}

/** Reads a spill that shares its file with others, in whole chunks. */
private[storage] final class RecycledInputStream(file: RecycledFile, ahead: Int)
    extends AheadInputStream(file.place.getPath, RecycledInputStream.wholeChunks(ahead)) {

  protected override def readAt(to: ByteBuffer, at: Long): Int = file.read(to, at)
}

private object RecycledInputStream {
  private def wholeChunks(bytes: Int): Int =
    math.max(1, bytes / ChunkSums.Chunk) * ChunkSums.Chunk
}
