package org.apache.spark.hpc.container

import java.nio.ByteBuffer

import com.esotericsoftware.kryo.io.Input

/** Outputs of a container that stand in it once more, partition after partition, so that what several of
  * them have for one reducer is one read.
  *
  * {{{
  * body   = offset count mapTaskId{count}       ; a Record's, after those of its outputs
  * merged = run*                                ; from the offset on, one for each partition
  * run    = block*                              ; one of each output, in the record's order, if not empty
  * }}}
  *
  * All of a body are variable-length integers, as in a [[MapOutput]]. A block is the same as in its
  * output, with its checksum; so where it is follows from the outputs' lengths.
  */
final class Merge(val offset: Long, val outputs: Seq[MapOutput]) {

  def extent: Extent = Extent(offset, outputs.map(_.size).sum)

  def partitions: Int = outputs.map(_.partitions).max

  /** Where the blocks of these partitions are, of each output. */
  def pieces(start: Int, end: Int): Seq[Seq[Extent]] = {
    val lengths = outputs.map(_.framedLengths(start, end))
    val found = Array.fill(outputs.size)(Vector.empty[Extent])
    var at = offset + outputs.map(_.bytesBefore(start)).sum
    for {
      partition <- 0 until end - start
      output <- outputs.indices
      length = lengths(output)(partition)
      if length > 0
    } {
      found(output) = Extent.joined(found(output), Extent(at, length))
      at += length
    }
    found
  }

  /** Where what stands here stands in its outputs, in this order. */
  def sources: Iterator[Extent] =
    for {
      partition <- Iterator.range(0, partitions)
      output <- outputs.iterator
      extent <- output.framedExtents(partition, partition + 1)
    } yield extent

  /** What it takes in memory, roughly, without its outputs. */
  def weight: Long = 64L + outputs.size * 100L
}

object Merge {

  /** As it stands in the index. */
  def record(offset: Long, mapTaskIds: Seq[Long]): ByteBuffer =
    Record.bytes(Record.OfMerge) { out =>
      out.writeVarLong(offset, true)
      out.writeVarInt(mapTaskIds.size, true)
      mapTaskIds.foreach(out.writeVarLong(_, true))
    }

  /** @param outputs those whose records came before */
  private[container] def of(in: Input, outputs: Long => Option[MapOutput]): Merge = {
    val offset = in.readVarLong(true)
    val merged = Vector.fill(in.readVarInt(true)) {
      val mapTaskId = in.readVarLong(true)
      outputs(mapTaskId).getOrElse {
        throw new DamagedContainer(s"map output $mapTaskId is merged and isn't there")
      }
    }
    if (merged.isEmpty) throw new DamagedContainer("no outputs are merged")
    new Merge(offset, merged)
  }
}
