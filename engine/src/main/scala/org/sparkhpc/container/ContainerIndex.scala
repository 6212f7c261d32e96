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

  // A small index takes one read. A larger one takes reads that double, so that few bytes after its end are read: there
  // is a hole of megabytes, and readers of a large shuffle read thousands of indexes.
  private val FirstRead = 64 << 10
  private val MostRead = 1L << 20

  /** Reads header and index. Throws DamagedContainer if the file doesn't begin with a header. */
  def read(bytes: Bytes): ContainerIndex = {
    val in = bytes.some(ByteBuffer.allocate(FirstRead), 0)
    val isLast = in.limit() < in.capacity
    val header = ContainerHeader.read(in, bytes.name)
    if (in.limit() > header.markAt) in.limit(header.markAt.toInt)
    val records = new Records(bytes, header, ContainerHeader.Size.toLong, Map.empty)
    records.read(records.take(in, isLast))
    records.index
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
    val records = new Records(bytes, header, from, before)
    records.read(FirstRead.toLong)
    records.index
  }

  /** Reads the records from a position on. */
  private final class Records(
      bytes: Bytes,
      header: ContainerHeader,
      from: Long,
      before: Map[Long, MapOutput]
  ) {
    private var outputs = before
    private var position = from
    private var damage: Option[String] = None

    def index: ContainerIndex = new ContainerIndex(header, position, outputs, damage)

    /** Reads all that there are.
      *
      * @param atOnce how many bytes the first read takes; 0 to read nothing
      */
    def read(atOnce: Long): Unit = {
      var next = atOnce
      while (next > 0) {
        val left = header.markAt - position
        val in = bytes.some(ByteBuffer.allocate(math.min(next, left).toInt), position)
        next = take(in, isLast = in.limit() < in.capacity)
      }
    }

    /** Takes the records of these bytes. Returns how many bytes to read after them; 0 if there are no more records.
      *
      * @param in its position is where the next record begins
      * @param isLast whether the file ends with these bytes
      */
    def take(in: ByteBuffer, isLast: Boolean): Long = {
      val start = position - in.position()
      try {
        var next = record(in)
        while (next.nonEmpty) {
          val output = Record.read(next.get)(MapOutput.of)
          outputs += output.mapTaskId -> output
          position = start + in.position()
          next = record(in)
        }
        val wanted = missing(in)
        if (wanted == 0) 0
        else if (!isLast && start + in.limit() < header.markAt)
          // As much as was read until now.
          math.max(wanted, math.min(math.max(position, FirstRead.toLong), MostRead))
        else if (in.remaining < Integer.BYTES) 0
        else throw new DamagedContainer("the index ends before the record does")
      } catch {
        case wrong: DamagedContainer =>
          damage = Some(s"${bytes.name}: record at $position: ${wrong.getMessage}")
          0
      }
    }
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

  /** How many bytes the next record takes at least; 0 if there is none. */
  private def missing(in: ByteBuffer): Long = {
    val size = sizeOfNext(in)
    if (size == 0 && in.remaining >= Integer.BYTES) 0 else sizeOf(size)
  }

  private def sizeOf(body: Int): Long = Integer.BYTES.toLong + body + ContainerHeader.CrcSize
}
