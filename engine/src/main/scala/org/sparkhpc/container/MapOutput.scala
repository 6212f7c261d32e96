package org.sparkhpc.container

import java.nio.ByteBuffer

import scala.collection.mutable.ArrayBuffer

import com.esotericsoftware.kryo.io.{Input, Output}

/** One published map output: where its blocks are, and how long.
  *
  * {{{
  * body   = mapTaskId partitions extents extent{extents} length{partitions}     ; a Record's
  * extent = offset length
  * }}}
  *
  * All of a body are variable-length integers, seven bits in a byte and the low ones first. A `length`
  * is a partition's, without the checksum behind it; with them they are as long as the extents.
  *
  * It keeps the lengths as they stand in the record, a byte or two for each partition, and jumps into
  * them in steps.
  */
final class MapOutput private (
    val mapTaskId: Long,
    val partitions: Int,
    val extents: Seq[Extent],
    lengths: Array[Byte]
) {
  import MapOutput._

  // Of each step, where its lengths begin, and where its blocks begin in the output.
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

  /** What it takes in memory, roughly. */
  def weight: Long = 128L + lengths.length + steps * 12L + extents.size * 32L

  /** The lengths of these partitions. */
  def lengths(start: Int, end: Int): Array[Long] = {
    requirePartitions(start, end)
    val (in, _) = at(start)
    Array.fill(end - start)(in.readVarLong(true))
  }

  /** Where the blocks of these partitions are in the file, with their checksums. */
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

  /** The lengths from that partition on, and where its block begins in the output. */
  private def at(partition: Int): (Input, Long) = {
    val step = math.min(partition / Step, steps - 1)
    if (step < 0) (new Input(lengths), 0L)
    else {
      val in = new Input(lengths, lengthsAt(step), lengths.length - lengthsAt(step))
      val skipped = Iterator.fill(partition - step * Step)(framed(in.readVarLong(true))).sum
      (in, blocksAt(step) + skipped)
    }
  }

  /** Where the output's bytes from there to there are in the file. */
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

  /** How long a block of so many bytes is with its checksum. */
  def framed(length: Long): Long = if (length == 0) 0 else length + ContainerHeader.CrcSize

  /** As it stands in the index. */
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

  /** From the values that a record has. */
  def apply(mapTaskId: Long, extents: Seq[Extent], lengths: Array[Long]): MapOutput = {
    val bytes = new Output(lengths.length * 2, -1)
    lengths.foreach(bytes.writeVarLong(_, true))
    new MapOutput(mapTaskId, lengths.length, extents, bytes.toBytes)
  }

  /** The most that a record of so many partitions takes, unless the output has very many extents. */
  def mostBytes(partitions: Int): Long = (64L << 10) + partitions * 6L

  /** A DamagedContainer if it makes no sense. */
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
        s"map output $mapTaskId has blocks of ${output.size} bytes in extents of " +
          s"${extents.map(_.length).sum}"
      )
    }
    output
  }
}
