package org.apache.spark.hpc.container

import java.nio.ByteBuffer
import java.util.zip.CRC32

import scala.collection.mutable.ArrayBuffer

import com.esotericsoftware.kryo.KryoException
import com.esotericsoftware.kryo.io.{Input, Output}

/** One published map output: where its blocks are, and how long.
  *
  * {{{
  * record = size body crc                       ; size: of the body
  * body   = mapTaskId partitions extents extent{extents} length{partitions}
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
  def record(mapTaskId: Long, extents: Seq[Extent], lengths: Array[Long]): ByteBuffer = {
    val out = new Output(256, -1)
    out.writeInt(0)
    out.writeVarLong(mapTaskId, true)
    out.writeVarInt(lengths.length, true)
    out.writeVarInt(extents.size, true)
    for (extent <- extents) {
      out.writeVarLong(extent.offset, true)
      out.writeVarLong(extent.length, true)
    }
    lengths.foreach(out.writeVarLong(_, true))
    val bytes = ByteBuffer.allocate(out.position() + ContainerHeader.CrcSize)
    bytes.put(out.getBuffer, 0, out.position()).putInt(0, out.position() - Integer.BYTES)
    val crc = new CRC32
    crc.update(bytes.array(), 0, bytes.position())
    bytes.putInt(crc.getValue.toInt).flip()
    bytes
  }

  /** The most that a record of so many partitions takes, unless the output has very many extents. */
  def mostBytes(partitions: Int): Long = (64L << 10) + partitions * 6L

  /** From a record's body, whose checksum is right; a DamagedContainer if it makes no sense. */
  def of(body: Array[Byte]): MapOutput =
    try {
      val in = new Input(body)
      val mapTaskId = in.readVarLong(true)
      val partitions = in.readVarInt(true)
      val extents =
        Seq.fill(in.readVarInt(true))(Extent(in.readVarLong(true), in.readVarLong(true)))
      val output =
        new MapOutput(mapTaskId, partitions, extents, in.readBytes(in.limit - in.position))
      if (output.size != extents.map(_.length).sum) {
        throw new DamagedContainer(
          s"map output $mapTaskId has blocks of ${output.size} bytes in extents of " +
            s"${extents.map(_.length).sum}"
        )
      }
      output
    } catch {
      case end: KryoException => throw new DamagedContainer(s"a record makes no sense: $end")
    }
}
