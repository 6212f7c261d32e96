package org.apache.spark.storage.hpc.disk

import java.io.{EOFException, InputStream}
import java.nio.ByteBuffer

import org.apache.spark.storage.BlockData
import org.apache.spark.util.io.ChunkedByteBuffer
import org.sparkhpc.file.{FilePool, PooledInputStream}

/** An unencrypted block on disk, read through the file pool. It is memory-mapped and sent to others as in stock Spark.
  *
  * @param bySpark the same block as Spark's own DiskStore reads it
  * @param ahead the bytes that a stream reads at once
  * @param mapFrom the size from which Spark maps a block
  * @param mostAtOnce the largest size of a chunk in bytes
  */
private[storage] final class PooledBlockData(
    pool: FilePool,
    path: String,
    bySpark: BlockData,
    ahead: Int,
    mapFrom: Long,
    mostAtOnce: Long
) extends BlockData {

  override def size: Long = bySpark.size

  override def toInputStream(): InputStream =
    new PooledInputStream(pool, path, ahead, least = size)

  override def toNetty(): AnyRef = bySpark.toNetty()

  override def toChunkedByteBuffer(allocator: Int => ByteBuffer): ChunkedByteBuffer =
    new ChunkedByteBuffer((0L until size by mostAtOnce).toArray.map { at =>
      read(allocator(math.min(size - at, mostAtOnce).toInt), at)
    })

  override def toByteBuffer(): ByteBuffer =
    if (size < math.min(mapFrom, mostAtOnce)) read(ByteBuffer.allocate(size.toInt), 0)
    else bySpark.toByteBuffer()

  override def dispose(): Unit = bySpark.dispose()

  private def read(to: ByteBuffer, from: Long): ByteBuffer = {
    while (to.hasRemaining)
      if (pool.read(path, to, from + to.position()) < 0)
        throw new EOFException(s"$path ends before the $size bytes of its block")
    to.flip()
    to
  }
}
