package org.apache.spark.hpc.container

import java.nio.ByteBuffer
import java.util.zip.CRC32

/** The outputs that a container had when it was read, and the merges of them.
  *
  * @param end where the next record will be
  * @param damage why no more records can be read; None if there were no more
  */
final class ContainerIndex private (
    val header: ContainerHeader,
    val end: Long,
    entries: ContainerIndex.Entries,
    val damage: Option[String]
) {
  def all: Seq[MapOutput] = entries.outputs.values.toSeq.sortBy(_.mapTaskId)

  def get(mapTaskId: Long): Option[MapOutput] = entries.outputs.get(mapTaskId)

  def merges: Seq[Merge] = entries.merges

  private lazy val placesInMerges: Map[Long, (Merge, Int)] = {
    for (merge <- merges; (output, at) <- merge.outputs.zipWithIndex)
      yield output.mapTaskId -> ((merge, at))
  }.toMap

  /** The merge that an output is in, and its place there; None if it is in none. */
  def merged(mapTaskId: Long): Option[(Merge, Int)] = placesInMerges.get(mapTaskId)

  /** What it takes in memory, roughly. */
  lazy val weight: Long =
    entries.outputs.valuesIterator.map(_.weight).sum + merges.map(_.weight).sum

  /** With the outputs that were published since. */
  def readOn(bytes: Bytes): ContainerIndex = ContainerIndex.readOn(bytes, header, end, entries)
}

object ContainerIndex {

  private final case class Entries(outputs: Map[Long, MapOutput], merges: Vector[Merge]) {
    def and(record: Array[Byte]): Entries = Record.read(record) {
      case Record.OfOutput => in =>
          val output = MapOutput.of(in)
          copy(outputs = outputs + (output.mapTaskId -> output))
      case Record.OfMerge => in => copy(merges = merges :+ Merge.of(in, outputs.get))
    }
  }

  // Small indexes come with one read, large ones with few.
  private val FirstRead = 64 << 10
  private val NextRead = 1 << 20

  /** A DamagedContainer if it doesn't begin as one. */
  def read(bytes: Bytes): ContainerIndex = {
    val header = ContainerHeader.read(bytes)
    readOn(bytes, header, ContainerHeader.Size, Entries(Map.empty, Vector.empty))
  }

  /** Why the file can't have all bytes of these outputs; None if it has.
    *
    * @param length the file's
    */
  def cut(index: ContainerIndex, length: Long): Option[String] = {
    val wanted = (index.header.dataStart +: index.all.flatMap(_.extents.map(_.end))).max
    if (length < wanted) Some(s"it has $length bytes of at least $wanted") else None
  }

  private def readOn(
      bytes: Bytes,
      header: ContainerHeader,
      from: Long,
      before: Entries
  ): ContainerIndex = {
    var entries = before
    var position = from
    var damage: Option[String] = None
    var atOnce = FirstRead.toLong
    while (atOnce > 0) {
      val left = header.markAt - position
      val in = bytes.some(ByteBuffer.allocate(math.min(atOnce, left).toInt), position)
      val isLast = in.limit() < in.capacity || in.limit() == left
      val start = position
      try {
        var next = record(in)
        while (next.nonEmpty) {
          entries = entries.and(next.get)
          position = start + in.position()
          next = record(in)
        }
        atOnce = missing(in)
        if (isLast && atOnce > 0) {
          if (in.remaining >= Integer.BYTES)
            throw new DamagedContainer("the index ends before it does")
          atOnce = 0
        }
      } catch {
        case wrong: DamagedContainer =>
          damage = Some(s"${bytes.name}: record at $position: ${wrong.getMessage}")
          atOnce = 0
      }
    }
    new ContainerIndex(header, position, entries, damage)
  }

  /** What the next one has; None if it isn't there, or not all of it. */
  private def record(in: ByteBuffer): Option[Array[Byte]] = {
    val size = sizeOfNext(in)
    if (size < 0) throw new DamagedContainer(s"$size is no size")
    if (size == 0 || in.remaining < sizeOf(size)) None
    else {
      val crc = new CRC32
      crc.update(in.array(), in.position(), Integer.BYTES + size)
      if (crc.getValue.toInt != in.getInt(in.position() + Integer.BYTES + size)) {
        throw new DamagedContainer("wrong checksum")
      }
      in.getInt()
      val body = new Array[Byte](size)
      in.get(body).getInt()
      Some(body)
    }
  }

  private def sizeOfNext(in: ByteBuffer): Int =
    if (in.remaining < Integer.BYTES) 0 else in.getInt(in.position())

  /** How much is to be read at once for the next record; 0 if there is none. */
  private def missing(in: ByteBuffer): Long = {
    val size = sizeOfNext(in)
    if (size == 0 && in.remaining >= Integer.BYTES) 0 else math.max(NextRead.toLong, sizeOf(size))
  }

  private def sizeOf(body: Int): Long = Integer.BYTES.toLong + body + ContainerHeader.CrcSize
}
