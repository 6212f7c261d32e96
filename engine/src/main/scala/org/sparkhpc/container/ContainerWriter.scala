package org.sparkhpc.container

import java.io.{Closeable, IOException, InputStream}
import java.nio.ByteBuffer
import java.nio.channels.{ClosedChannelException, FileChannel}
import java.nio.file.{OpenOption, Path}

/** A container to which any number of threads add map outputs at once.
  *
  *  1. Each write has an extent of its own, so that no write waits for another. No thread holds the container's
  *     monitor while it writes, or waits for the device.
  *  1. An output is published by its record, which is written after its blocks. What was published never changes.
  *  1. A record whose write failed may be in the index in part. No record can follow it: the container is full.
  *     It is also full after a sync has failed, since the device may have lost other threads' writes.
  *  1. The bytes of a failed task are freed before the shuffle ends: an extent that is given back is cut off if
  *     it is the file's last one; otherwise the next writes go there.
  *  1. When the file system or the tier has no room, the container refuses, and the output continues in another
  *     container: see [[OutputWriter]].
  *
  * @param visibility when other nodes see what is written
  */
final class ContainerWriter private (
    header: ContainerHeader,
    file: InterruptibleFile,
    visibility: Visibility,
    room: Room
) extends Closeable {
  import ContainerWriter._

  private val publishing = new Object
  private val free = new FreeExtents
  private var reserved = 0L
  private var indexEnd = ContainerHeader.Size.toLong
  private val syncs = new GroupedSyncs(() => file.force())
  // Volatile, so that they can be read without waiting for a write.
  @volatile private var failed: Option[Throwable] = None // why the container is full
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

  /** Reserves room in the index for the record of an output; None if the index may not have enough. */
  def lease(partitions: Int): Option[Lease] = synchronized {
    val most = MapOutput.mostBytes(partitions)
    if (failed.nonEmpty || indexEnd + reserved + most > header.markAt) None
    else {
      reserved += most
      Some(new Lease(this, most))
    }
  }

  /** Writes bytes to an extent, and returns it. */
  private[container] def append(bytes: ByteBuffer): Extent = {
    val length = bytes.remaining.toLong
    val extent = synchronized(if (visibility.isRewritten) free.take(length) else None).getOrElse {
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

  /** Frees extents that nobody will read: no record names them, and none that names them was begun. */
  private[container] def giveBack(extents: Seq[Extent]): Unit = synchronized {
    extents.foreach(free.add)
    for (last <- free.takeLast(dataEnd))
      try {
        file.truncate(last.offset)
        if (visibility.isRewritten) dataEnd = last.offset
        room.gaveBack(last.length)
      } catch {
        // The extent stays until the container is deleted, unless it is written again.
        case _: IOException => free.add(last)
      }
  }

  /** The bytes of the published outputs. */
  def liveBytes: Long = published

  /** The bytes that were given back or aren't published yet. */
  def deadBytes: Long = dataEnd - header.dataStart - published

  /** Adds a record to the index.
    *
    * @param size of the output
    */
  private[container] def publish(record: ByteBuffer, size: Long): Unit = {
    val sync = publishing.synchronized {
      val end = indexEnd + record.remaining
      for (failure <- failed)
        throw new Refusal(
          s"${file.name} takes no more map outputs, since a write failed: ${failure.getMessage}",
          failure
        )
      if (end > header.markAt)
        throw new Refusal(s"${file.name} has no room for a record of ${record.remaining} bytes")
      fullIfItFails {
        takeRoom(record.remaining)
        writing(record, indexEnd)
      }
      synchronized { indexEnd = end }
      syncs.wrote()
    }
    if (visibility.isForced) kept(sync)
    synchronized(published += size)
  }

  private def fullIfItFails(action: => Unit): Unit =
    try action
    catch {
      case failure: Throwable =>
        failed = Some(failure)
        throw failure
    }

  /** Waits until the device has the record. An interrupt doesn't make the container full, since the record is
    * complete.
    */
  private def kept(sync: Long): Unit =
    try refusing(syncs.await(sync))
    catch {
      case refusal: Refusal =>
        failed = Some(refusal)
        throw refusal
    }

  /** Reads extents that were written. */
  private[container] def read(extents: Seq[Extent])(use: InputStream => Unit): Unit =
    use(new ExtentsStream(file, extents))

  private def takeRoom(count: Int): Unit =
    if (!room.take(count)) throw new Refusal(s"${file.name} has no room for $count more bytes")

  private def writing(bytes: ByteBuffer, at: Long): Unit = refusing {
    val count = bytes.remaining
    val begun = System.nanoTime()
    file.write(bytes, at)
    room.wrote(count, System.nanoTime() - begun)
  }

  private def refusing(action: => Unit): Unit =
    try action
    catch {
      // The container was closed, or this thread is interrupted.
      case closed: ClosedChannelException => throw closed
      case refusal: IOException =>
        room.refused(refusal)
        throw new Refusal(refusal.getMessage, refusal)
    }

  /** Closes the file until the next write. */
  def rest(): Unit = file.rest()

  /** Closes the file for good. */
  override def close(): Unit = file.close()
}

object ContainerWriter {
  // Room for some hundred outputs of ten thousand partitions. A reader never has to read more than this at once.
  private val IndexBytes = 16L << 20

  /** Creates the container's file.
    *
    * @param partitions of the largest output
    * @param open opens the file
    */
  def create(
      path: Path,
      shuffle: Int,
      partitions: Int,
      visibility: Visibility,
      room: Room = Room.Unbounded,
      open: (Path, Seq[OpenOption]) => FileChannel = FileChannel.open(_, _: _*)
  ): ContainerWriter = {
    val least = ContainerHeader.Size + ContainerHeader.CrcSize + MapOutput.mostBytes(partitions)
    val dataStart = (math.max(IndexBytes, least) + Aligned - 1) / Aligned * Aligned
    val header = ContainerHeader(shuffle, dataStart)
    new ContainerWriter(header, new InterruptibleFile(path, open), visibility, room)
  }

  /** Room in a container's index for the record of one output, until it is released. */
  final class Lease private[ContainerWriter] (val container: ContainerWriter, bytes: Long) {
    private var isHeld = true

    def release(): Unit = container.synchronized {
      if (isHeld) container.reserved -= bytes
      isHeld = false
    }
  }

  /** A container takes no more bytes; another one may take them. */
  final class Refusal(message: String, cause: Throwable = null)
      extends IOException(message, cause)

  // The data is aligned to the stripes of a file system.
  private val Aligned = 1L << 20
}
