package org.apache.spark.hpc.scale

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.{CREATE, WRITE}

import org.sparkhpc.container.{ContainerHeader, Extent, MapOutput}

/** Containers with a real index, whose data is a hole in the file. */
private[spark] object SparseContainer {
  private val IndexBytes = 16L << 20

  /** Makes a container with the outputs of these map tasks, all with the same block lengths.
    *
    * @param data gets the file and the place where each output begins, and may write blocks there
    */
  def make(path: Path, shuffle: Int, mapTaskIds: Seq[Long], lengths: Array[Long])(
      data: (FileChannel, Long) => Unit
  ): Unit = {
    val header = ContainerHeader(shuffle, IndexBytes)
    val length = lengths.map(MapOutput.framed(_)).sum
    val file = FileChannel.open(path, CREATE, WRITE)
    try {
      def put(bytes: ByteBuffer, at: Long): Unit = file.write(bytes, at): Unit
      put(header.bytes, 0)
      put(header.mark, header.markAt)
      put(ByteBuffer.allocate(1), header.dataStart + mapTaskIds.size * length - 1)
      var recordAt = ContainerHeader.Size.toLong
      for ((mapTaskId, index) <- mapTaskIds.zipWithIndex) {
        val begin = header.dataStart + index * length
        val record = MapOutput.record(mapTaskId, Seq(new Extent(begin, length)), lengths)
        val size = record.remaining
        put(record, recordAt)
        recordAt += size
        data(file, begin)
      }
    } finally file.close()
  }
}
