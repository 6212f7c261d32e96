package org.sparkhpc.probe

import java.io.{Closeable, IOException}
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.charset.StandardCharsets.US_ASCII
import java.nio.file.{Files, Path}
import java.nio.file.StandardOpenOption.{CREATE_NEW, READ, WRITE}
import java.util.UUID

import com.google.common.io.Closeables

/** A file that one client of a file system writes in rounds and keeps open, and another one reads in rounds through a
  * descriptor that it opened before the first.
  *
  * Each round writes a line over the file's first line, and appends it. So a reader needs new bytes in the place of
  * those that it has just read, and a new size. Nothing is synchronized but round 0.
  *
  * {{{
  *   file = last line, line of round 0, line of round 1, ..., last line
  *   line = words " " round, padded to 64 bytes
  * }}}
  */
final class ProbeFile private (val path: Path, val words: String, private val channel: FileChannel)
    extends Closeable {

  def write(round: Int): Unit = {
    val line = ProbeFile.line(words, round)
    ProbeFile.write(channel, line, 0)
    ProbeFile.write(channel, line, ProbeFile.placeOf(round))
  }

  /** Closes and deletes the file. */
  override def close(): Unit = {
    Closeables.close(channel, true)
    try Files.deleteIfExists(path): Unit
    catch { case _: IOException => } // its directory is deleted with the application
  }
}

object ProbeFile {
  private val LineBytes = 64

  /** Creates a file with round 0. */
  def create(path: Path): ProbeFile = {
    val file =
      new ProbeFile(path, UUID.randomUUID().toString, FileChannel.open(path, CREATE_NEW, WRITE))
    try {
      file.write(0)
      file.channel.force(true)
      file
    } catch {
      case failure: Throwable =>
        file.close()
        throw failure
    }
  }

  /** The reader of another client's file. */
  final class Reader private[ProbeFile] (words: String, channel: FileChannel) extends Closeable {

    /** Whether all that the round wrote is seen. */
    def sees(round: Int): Boolean = {
      val line = ProbeFile.line(words, round)
      // Both are read in any case: the next round is to find them in this client's cache.
      val places = Seq(0L, placeOf(round)).map(read)
      places.forall(_ == line)
    }

    private def read(place: Long): ByteBuffer = {
      val bytes = ByteBuffer.allocate(LineBytes)
      while (bytes.hasRemaining && channel.read(bytes, place + bytes.position()) > 0) {}
      bytes.flip()
      bytes
    }

    override def close(): Unit = Closeables.close(channel, true)
  }

  def open(path: Path, words: String): Reader = new Reader(words, FileChannel.open(path, READ))

  private def placeOf(round: Int): Long = (round + 1L) * LineBytes

  private def line(words: String, round: Int): ByteBuffer =
    ByteBuffer.wrap(s"$words $round".padTo(LineBytes, ' ').getBytes(US_ASCII))

  private def write(channel: FileChannel, line: ByteBuffer, place: Long): Unit = {
    val bytes = line.duplicate()
    while (bytes.hasRemaining) channel.write(bytes, place + bytes.position())
  }
}
