package org.apache.spark.hpc.container

import java.nio.ByteBuffer

/** Writes a [[Merge]] of published outputs of a container to it, and publishes that.
  *
  * Some partitions at a time, as many as fit in a buffer: each output is read once, in large pieces, and
  * the merge is written so. Whatever stops it leaves dead bytes and no more.
  */
final class MergeWriter(
    container: ContainerWriter,
    outputs: Seq[MapOutput],
    window: Int = 4 << 20
) {

  private val merged = new Merge(0, outputs)
  private val partitions = merged.partitions
  // Those of all outputs; the lengths themselves may be too many for memory.
  private val runs = {
    val sums = new Array[Long](partitions)
    for (output <- outputs; (length, at) <- output.framedLengths(0, partitions).zipWithIndex)
      sums(at) += length
    sums
  }

  def size: Long = runs.sum

  /** False if the container has no room for it, or it isn't wanted any more; an IOException if it can't
    * be read or written.
    */
  def write(isWanted: () => Boolean): Boolean = container.lease(0).exists { lease =>
    try {
      val extent = container.reserve(size)
      var partition = 0
      var at = extent.offset
      while (partition < partitions && isWanted()) {
        val end = windowFrom(partition)
        val length = runs.slice(partition, end).sum
        if (length > window) copy(partition, at)
        else if (length > 0) container.write(gathered(partition, end, length.toInt), at)
        at += length
        partition = end
      }
      val isWhole = partition == partitions && isWanted()
      if (isWhole) container.publish(Merge.record(extent.offset, outputs.map(_.mapTaskId)), size)
      isWhole
    } finally lease.release()
  }

  /** Before which partition the window ends that begins with this one; it has that one at least. */
  private def windowFrom(start: Int): Int = {
    var end = start + 1
    var length = runs(start)
    while (end < partitions && length + runs(end) <= window) {
      length += runs(end)
      end += 1
    }
    end
  }

  private def gathered(start: Int, end: Int, length: Int): ByteBuffer = {
    val to = ByteBuffer.allocate(length)
    // Where the next output's block goes, of each partition.
    val next = runs.slice(start, end).scanLeft(0L)(_ + _)
    for (output <- outputs) {
      val lengths = output.framedLengths(start, end)
      val from = ByteBuffer.allocate(lengths.sum.toInt)
      for (extent <- output.framedExtents(start, end)) {
        from.limit(from.position() + extent.length.toInt)
        container.bytes.fill(from, extent.offset)
        from.position(from.limit())
      }
      var taken = 0
      for ((length, at) <- lengths.zipWithIndex) {
        System.arraycopy(from.array(), taken, to.array(), next(at).toInt, length.toInt)
        taken += length.toInt
        next(at) += length
      }
    }
    to
  }

  /** A partition that is too large to be gathered. */
  private def copy(partition: Int, at: Long): Unit = {
    var to = at
    for {
      output <- outputs
      extent <- output.framedExtents(partition, partition + 1)
      begin <- extent.offset until extent.end by window.toLong
    } {
      val length = math.min(window.toLong, extent.end - begin)
      container.write(container.bytes.fill(ByteBuffer.allocate(length.toInt), begin), to)
      to += length
    }
  }
}
