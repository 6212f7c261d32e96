package org.sparkhpc.container

import java.nio.ByteBuffer
import java.util.zip.CRC32

/** The map outputs that a container had when its index was read.
  *
  * @param end the offset of the next record
  * @param damage why no more records can be read; None if there were no more
  */
final class ContainerIndex private (
    val header: ContainerHeader,
    val end: Long,
    outputs: Map[Long, MapOutput],
    val damage: Option[String]
) {
  def all: Seq[MapOutput] = outputs.values.toSeq.sortBy(_.mapTaskId)

  def get(mapTaskId: Long): Option[MapOutput] = outputs.get(mapTaskId)

  /** Its size in memory, roughly. */
  lazy val weight: Long = outputs.valuesIterator.map(_.weight).sum

  /** Reads the records that were published since, and returns an index that has them, too. */
  def readOn(bytes: Bytes): ContainerIndex = ContainerIndex.readOn(bytes, header, end, outputs)
}

object ContainerIndex {

  // A small index takes one read, a large one takes few.
  private val FirstRead = 64 << 10
  private val NextRead = 1 << 20

  /** Reads header and index. Throws DamagedContainer if the file doesn't begin with a header. */
  def read(bytes: Bytes): ContainerIndex = {
    val header = ContainerHeader.read(bytes)
    readOn(bytes, header, ContainerHeader.Size, Map.empty)
  }

  /** Why the file is too short for all of these outputs; None if it isn't.
    *
    * @param length of the file
    */
  def cut(index: ContainerIndex, length: Long): Option[String] = {
    val wanted = (index.header.dataStart +: index.all.flatMap(_.extents.map(_.end))).max
    if (length < wanted) Some(s"it has $length bytes, and should have at least $wanted") else None
  }

  private def readOn(
      bytes: Bytes,
      header: ContainerHeader,
      from: Long,
      before: Map[Long, MapOutput]
  ): ContainerIndex = {
    var outputs = before
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
          val output = Record.read(next.get)(MapOutput.of)
          outputs += output.mapTaskId -> output
          position = start + in.position()
          next = record(in)
        }
        atOnce = missing(in)
        if (isLast && atOnce > 0) {
          if (in.remaining >= Integer.BYTES)
            throw new DamagedContainer("the index ends before the record does")
          atOnce = 0
        }
      } catch {
        case wrong: DamagedContainer =>
          damage = Some(s"${bytes.name}: record at $position: ${wrong.getMessage}")
          atOnce = 0
      }
    }
    new ContainerIndex(header, position, outputs, damage)
  }

  /** The body of the next record; None if `in` has no more records, or not all of it. */
  private def record(in: ByteBuffer): Option[Array[Byte]] = {
    val size = sizeOfNext(in)
    if (size < 0) throw new DamagedContainer(s"its size is $size")
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

  /** How many bytes to read at once for the next record; 0 if there is none. */
  private def missing(in: ByteBuffer): Long = {
    val size = sizeOfNext(in)
    if (size == 0 && in.remaining >= Integer.BYTES) 0 else math.max(NextRead.toLong, sizeOf(size))
  }

  private def sizeOf(body: Int): Long = Integer.BYTES.toLong + body + ContainerHeader.CrcSize
}
