package org.apache.spark.shuffle.hpc

import java.io.{EOFException, File, IOException}
import java.nio.ByteBuffer
import java.nio.channels.{FileChannel, WritableByteChannel}
import java.nio.file.{Files, NoSuchFileException}
import java.nio.file.StandardOpenOption.READ

import org.apache.spark.shuffle.IndexShuffleBlockResolver.NOOP_REDUCE_ID
import org.apache.spark.storage.{ShuffleDataBlockId, ShuffleIndexBlockId}

/** Reads map outputs as Spark's sort shuffle writes them: data, and an index of `R + 1` offsets. */
private[hpc] final class OutputFiles(directory: OutputDirectory) {

  def data(shuffle: Int, executor: String, mapId: Long): File =
    directory.file(shuffle, executor, ShuffleDataBlockId(shuffle, mapId, NOOP_REDUCE_ID).name)

  def index(shuffle: Int, executor: String, mapId: Long): File =
    directory.file(shuffle, executor, ShuffleIndexBlockId(shuffle, mapId, NOOP_REDUCE_ID).name)

  /** The partitions from `start` to before `end` of one map output, all their bytes, or an
    * IOException.
    */
  def read(place: OutputPlace, mapId: Long, start: Int, end: Int): ByteBuffer = {
    val (from, until) = extent(index(place.shuffle, place.executor, mapId), start, end)
    val bytes = ByteBuffer.allocate(Math.toIntExact(until - from))
    reading(data(place.shuffle, place.executor, mapId))(fill(bytes, _, from))
    bytes
  }

  /** As [[read]], for what is too large for memory; what was written of it is no use after an
    * IOException.
    */
  def copy(place: OutputPlace, mapId: Long, start: Int, end: Int, to: WritableByteChannel): Unit = {
    val (from, until) = extent(index(place.shuffle, place.executor, mapId), start, end)
    reading(data(place.shuffle, place.executor, mapId)) { channel =>
      var position = from
      while (position < until) {
        val count = channel.transferTo(position, until - position, to)
        if (count <= 0) throw new EOFException(s"it ends at ${channel.size}, before $until")
        position += count
      }
    }
  }

  /** Whether an output isn't there any more, as far as the lengths of its files say so; false when a
    * file can't be looked at.
    */
  def isLost(place: OutputPlace, mapId: Long): Boolean =
    try {
      val file = index(place.shuffle, place.executor, mapId)
      val partitions = (Files.size(file.toPath) / java.lang.Long.BYTES).toInt - 1
      partitions < 0 || {
        val (_, bytes) = extent(file, 0, partitions)
        bytes > 0 && Files.size(data(place.shuffle, place.executor, mapId).toPath) != bytes
      }
    } catch {
      case _: NoSuchFileException | _: EOFException => true
      case _: IOException => false
    }

  /** Where these partitions are in the data file. */
  private def extent(index: File, start: Int, end: Int): (Long, Long) = {
    val from = ByteBuffer.allocate(java.lang.Long.BYTES)
    val until = ByteBuffer.allocate(java.lang.Long.BYTES)
    reading(index) { channel =>
      fill(from, channel, start.toLong * java.lang.Long.BYTES)
      fill(until, channel, end.toLong * java.lang.Long.BYTES)
    }
    val extent = (from.getLong(0), until.getLong(0))
    if (extent._1 < 0 || extent._1 > extent._2) {
      throw new IOException(s"$index says that partitions $start to $end are at $extent")
    }
    extent
  }

  private def reading(file: File)(read: FileChannel => Unit): Unit = {
    val channel = FileChannel.open(file.toPath, READ)
    try read(channel)
    catch {
      case end: EOFException => throw new EOFException(s"$file: ${end.getMessage}")
    } finally channel.close()
  }

  /** Reads until `to` is full, and makes it ready to be read. */
  private def fill(to: ByteBuffer, channel: FileChannel, position: Long): Unit = {
    while (to.hasRemaining)
      if (channel.read(to, position + to.position()) < 0) {
        throw new EOFException(
          s"it ends at ${channel.size} where ${to.limit()} bytes at $position were to be read"
        )
      }
    to.flip(): Unit
  }
}
