package org.sparkhpc.file

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.ClosedByInterruptException

/** A FileInputStream that reads through a [[FilePool]].
  *
  * As with every FileInputStream, an interrupt doesn't end a read; the thread stays interrupted.
  *
  * @param least the number of bytes that the file has at least. If it ends earlier, a read throws an IOException,
  *   because a deserializer takes the end of its stream for the end of the data
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
