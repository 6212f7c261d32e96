package org.sparkhpc.container

import java.nio.ByteBuffer
import java.util.zip.CRC32

/** The outputs that a container had when it was read.
  *
  * @param end where the next record will be
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

  /** What it takes in memory, roughly. */
  lazy val weight: Long = outputs.valuesIterator.map(_.weight).sum

  /** With the outputs that were published since. */
  def readOn(bytes: Bytes): ContainerIndex = ContainerIndex.readOn(bytes, header, end, outputs)
}

object ContainerIndex {

  // Small indexes come with one read, large ones with few.
  private val FirstRead = 64 << 10
  private val NextRead = 1 << 20

  /** A DamagedContainer if it doesn't begin as one. */
  def read(bytes: Bytes): ContainerIndex = {
    val header = ContainerHeader.read(bytes)
    readOn(bytes, header, ContainerHeader.Size, Map.empty)
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
            throw new DamagedContainer("the index ends before it does")
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
