package org.sparkhpc.container

import java.io.{Closeable, IOException, InputStream}
import java.nio.ByteBuffer
import java.nio.channels.{ClosedChannelException, FileChannel}
import java.nio.file.{OpenOption, Path}

/** A container to which outputs are added, by any number of threads at once.
  *
  *  1. Each write has an extent of its own, so that no write waits for another. No thread holds the
  *     container's monitor while it writes, or waits for the device.
  *  1. An output is published by its record, after its blocks; what was published never changes.
  *  1. A record whose write failed may stand in the index in part. No record can follow it: the container is
  *     full. It is also full after a sync has failed, since the device may have lost other threads' writes.
  *  1. The bytes of a failed task don't stay as long as the shuffle: an extent that is given back is cut off
  *     if it is the file's last one; otherwise the next writes go there.
  *  1. When the file system or the tier has no room, the container refuses: the output goes on in another
  *     container, see [[OutputWriter]].
  *
  * @param isForced whether published outputs have to be on the device, for one because other nodes see them
  *   no sooner. Then no write goes to an extent that was given back: a reader's node may have the old bytes
  *   in its cache, and they have valid checksums, too
  */
final class ContainerWriter private (
    header: ContainerHeader,
    file: InterruptibleFile,
    isForced: Boolean,
    room: Room
) extends Closeable {
  import ContainerWriter._

  private val publishing = new Object
  private val free = new FreeExtents
  private var reserved = 0L
  private var indexEnd = ContainerHeader.Size.toLong
  private val syncs = new GroupedSyncs(() => file.force())
  // To be known without waiting for a write.
  @volatile private var isFull = false
  @volatile private var dataEnd = header.dataStart
  @volatile private var published = 0L

  try {
    takeRoom(header.bytes.remaining)
    writing(header.bytes, 0)
    file.write(header.mark, header.markAt)
  } catch {
    case failure: Throwable =>
      file.close()
      throw failure
  }

  /** Room for the record of an output of so many partitions; None if the index may have none. */
  def lease(partitions: Int): Option[Lease] = synchronized {
    val most = MapOutput.mostBytes(partitions)
    if (isFull || indexEnd + reserved + most > header.markAt) None
    else {
      reserved += most
      Some(new Lease(this, most))
    }
  }

  /** Adds bytes, and says where they are. */
  private[container] def append(bytes: ByteBuffer): Extent = {
    val length = bytes.remaining.toLong
    val extent = synchronized(if (isForced) None else free.take(length)).getOrElse {
      takeRoom(bytes.remaining)
      reserve(length)
    }
    try {
      writing(bytes, extent.offset)
      extent
    } catch {
      case failure: Throwable =>
        giveBack(Seq(extent))
        throw failure
    }
  }

  private def reserve(length: Long): Extent = synchronized {
    val begin = dataEnd
    dataEnd += length
    Extent(begin, length)
  }

  /** Nobody will read what was added there: no record names it, nor may any that was begun. */
  private[container] def giveBack(extents: Seq[Extent]): Unit = synchronized {
    extents.foreach(free.add)
    for (last <- free.takeLast(dataEnd))
      try {
        file.truncate(last.offset)
        if (!isForced) dataEnd = last.offset
        room.gaveBack(last.length)
      } catch {
        // It stays until the container goes, unless something is written there.
        case _: IOException => free.add(last)
      }
  }

  /** Of what was published. */
  def liveBytes: Long = published

  /** Of what was given up, or isn't published yet. */
  def deadBytes: Long = dataEnd - header.dataStart - published

  /** Adds a record to the index.
    *
    * @param size of the output
    */
  private[container] def publish(record: ByteBuffer, size: Long): Unit = {
    val sync = publishing.synchronized {
      val end = indexEnd + record.remaining
      if (isFull || end > header.markAt)
        throw new Refusal(s"${file.name} has no room for a record of ${record.remaining} bytes")
      fullIfItFails {
        takeRoom(record.remaining)
        writing(record, indexEnd)
      }
      synchronized { indexEnd = end }
      syncs.wrote()
    }
    if (isForced) kept(sync)
    synchronized(published += size)
  }

  private def fullIfItFails(action: => Unit): Unit =
    try action
    catch {
      case failure: Throwable =>
        isFull = true
        throw failure
    }

  /** The record is whole: an interrupt takes nothing from others. */
  private def kept(sync: Long): Unit =
    try refusing(syncs.await(sync))
    catch {
      case refusal: Refusal =>
        isFull = true
        throw refusal
    }

  /** Reads what was written. */
  private[container] def read(extents: Seq[Extent])(use: InputStream => Unit): Unit =
    use(new ExtentsStream(file, extents))

  private def takeRoom(count: Int): Unit =
    if (!room.take(count)) throw new Refusal(s"${file.name} may not have $count bytes more")

  private def writing(bytes: ByteBuffer, at: Long): Unit = refusing {
    val count = bytes.remaining
    val begun = System.nanoTime()
    file.write(bytes, at)
    room.wrote(count, System.nanoTime() - begun)
  }

  private def refusing(action: => Unit): Unit =
    try action
    catch {
      // It was closed, or its thread is interrupted.
      case closed: ClosedChannelException => throw closed
      case refusal: IOException =>
        room.refused(refusal)
        throw new Refusal(refusal.getMessage, refusal)
    }

  /** Has it hold no file open until the next write. */
  def rest(): Unit = file.rest()

  /** Nothing is written any more. */
  override def close(): Unit = file.close()
}

object ContainerWriter {
  // Room for some hundred outputs of ten thousand partitions. It is all that a reader has to read at once.
  private val IndexBytes = 16L << 20

  /** Makes the file.
    *
    * @param partitions of the largest output
    * @param open opens it
    */
  def create(
      path: Path,
      shuffle: Int,
      partitions: Int,
      isForced: Boolean,
      room: Room = Room.Unbounded,
      open: (Path, Seq[OpenOption]) => FileChannel = FileChannel.open(_, _: _*)
  ): ContainerWriter = {
    val least = ContainerHeader.Size + ContainerHeader.CrcSize + MapOutput.mostBytes(partitions)
    val dataStart = (math.max(IndexBytes, least) + Aligned - 1) / Aligned * Aligned
    val header = ContainerHeader(shuffle, dataStart)
    new ContainerWriter(header, new InterruptibleFile(path, open), isForced, room)
  }

  /** Room for the record of one output in the index of a container, until it is released. */
  final class Lease private[ContainerWriter] (val container: ContainerWriter, bytes: Long) {
    private var isHeld = true

    def release(): Unit = container.synchronized {
      if (isHeld) container.reserved -= bytes
      isHeld = false
    }
  }

  /** A container takes no more; another one may. */
  final class Refusal(message: String, cause: IOException = null)
      extends IOException(message, cause)

  // To the stripes of a file system.
  private val Aligned = 1L << 20
}
