package org.sparkhpc.container

import java.nio.ByteBuffer

import scala.collection.mutable.ArrayBuffer

import com.esotericsoftware.kryo.io.{Input, Output}

/** A published map output: where its blocks are, and how long they are.
  *
  * {{{
  * body   = mapTaskId partitions extents extent{extents} length{partitions}     ; a Record's
  * extent = offset length
  * }}}
  *
  * All fields of a body are variable-length integers of seven bits a byte, the low bits first. A `length` is that
  * of a partition without its checksum; the lengths with the checksums add up to the lengths of the extents.
  *
  * In memory, the lengths are encoded as in the record, with a byte or two for each partition. The position of
  * every 64th one is kept, so that a look-up decodes few of them.
  */
final class MapOutput private (
    val mapTaskId: Long,
    val partitions: Int,
    val extents: Seq[Extent],
    lengths: Array[Byte]
) {
  import MapOutput._

  // For each step of partitions: where its lengths begin, and where its blocks begin in the output.
  private val steps = (partitions + Step - 1) / Step
  private val lengthsAt = new Array[Int](steps)
  private val blocksAt = new Array[Long](steps)
  val size: Long = {
    val in = new Input(lengths)
    var at = 0L
    for (partition <- 0 until partitions) {
      if (partition % Step == 0) {
        lengthsAt(partition / Step) = in.position()
        blocksAt(partition / Step) = at
      }
      at += framed(in.readVarLong(true))
    }
    at
  }

  /** Its size in memory, roughly. */
  def weight: Long = 128L + lengths.length + steps * 12L + extents.size * 32L

  /** The lengths of these partitions. */
  def lengths(start: Int, end: Int): Array[Long] = {
    requirePartitions(start, end)
    val (in, _) = at(start)
    Array.fill(end - start)(in.readVarLong(true))
  }

  /** The extents of these partitions' blocks in the file, with their checksums. */
  def extents(start: Int, end: Int): Seq[Extent] = {
    requirePartitions(start, end)
    val (_, from) = at(start)
    part(from, from + lengths(start, end).iterator.map(framed).sum)
  }

  private def requirePartitions(start: Int, end: Int): Unit =
    if (start < 0 || start > end || end > partitions) {
      throw new DamagedContainer(
        s"map output $mapTaskId has $partitions partitions, not $start to $end"
      )
    }

  /** The encoded lengths from a partition on, and where its block begins in the output. */
  private def at(partition: Int): (Input, Long) = {
    val step = math.min(partition / Step, steps - 1)
    if (step < 0) (new Input(lengths), 0L)
    else {
      val in = new Input(lengths, lengthsAt(step), lengths.length - lengthsAt(step))
      val skipped = Iterator.fill(partition - step * Step)(framed(in.readVarLong(true))).sum
      (in, blocksAt(step) + skipped)
    }
  }

  /** The extents in the file of the output's bytes from `from` to before `until`. */
  private def part(from: Long, until: Long): Seq[Extent] = {
    var begin = 0L
    val found = new ArrayBuffer[Extent](1)
    for (extent <- extents) {
      val first = math.max(from, begin)
      val last = math.min(until, begin + extent.length)
      if (first < last) found += Extent(extent.offset + first - begin, last - first)
      begin += extent.length
    }
    found
  }
}

object MapOutput {
  private val Step = 64

  /** The length of a block with its checksum. */
  def framed(length: Long): Long = if (length == 0) 0 else length + ContainerHeader.CrcSize

  /** The record of an output, as it is written to the index. */
  def record(mapTaskId: Long, extents: Seq[Extent], lengths: Array[Long]): ByteBuffer =
    Record.bytes { out =>
      out.writeVarLong(mapTaskId, true)
      out.writeVarInt(lengths.length, true)
      out.writeVarInt(extents.size, true)
      for (extent <- extents) {
        out.writeVarLong(extent.offset, true)
        out.writeVarLong(extent.length, true)
      }
      lengths.foreach(out.writeVarLong(_, true))
    }

  /** An output from the values of its record. */
  def apply(mapTaskId: Long, extents: Seq[Extent], lengths: Array[Long]): MapOutput = {
    val bytes = new Output(lengths.length * 2, -1)
    lengths.foreach(bytes.writeVarLong(_, true))
    new MapOutput(mapTaskId, lengths.length, extents, bytes.toBytes)
  }

  /** The most bytes that a record of `partitions` partitions takes, unless the output has very many extents. */
  def mostBytes(partitions: Int): Long = (64L << 10) + partitions * 6L

  /** Decodes the body of a record. Throws DamagedContainer if it makes no sense. */
  private[container] def of(in: Input): MapOutput = {
    val mapTaskId = in.readVarLong(true)
    val partitions = in.readVarInt(true)
    val extents = Vector.fill(in.readVarInt(true)) {
      Extent(in.readVarLong(true), in.readVarLong(true))
    }
    val output =
      new MapOutput(mapTaskId, partitions, extents, in.readBytes(in.limit - in.position))
    if (output.size != extents.map(_.length).sum) {
      throw new DamagedContainer(
        s"map output $mapTaskId has blocks of ${output.size} bytes, but extents of " +
          s"${extents.map(_.length).sum} bytes"
      )
    }
    output
  }
}
