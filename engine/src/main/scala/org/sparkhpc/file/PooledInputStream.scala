package org.sparkhpc.file

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.ClosedByInterruptException

/** Reads through a [[FilePool]].
  *
  * An interrupt doesn't end a read, as with every FileInputStream; the thread stays interrupted.
  *
  * @param least how many bytes the file has at least. An end before them is an IOException, because a deserializer
  *   takes the end of its stream for the end of the data
  */
final class PooledInputStream(pool: FilePool, path: String, ahead: Int, least: Long = 0)
    extends AheadInputStream(path, ahead) {

  protected override def readAt(to: ByteBuffer, at: Long): Int = {
    val wasInterrupted = Thread.interrupted()
    try {
      val count = pool.read(path, to, at)
      if (count < 0 && at < least)
        throw new IOException(s"$path ends after $at bytes, and had $least when it was written")
      count
    } catch { case _: ClosedByInterruptException => readAt(to, at) }
    finally if (wasInterrupted) Thread.currentThread.interrupt()
  }
}
