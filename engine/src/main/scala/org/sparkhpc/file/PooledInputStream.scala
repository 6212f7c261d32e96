package org.sparkhpc.file

import java.nio.ByteBuffer
import java.nio.channels.ClosedByInterruptException

/** Reads through a [[FilePool]].
  *
  * An interrupt doesn't end a read, as with every FileInputStream; the thread stays interrupted.
  */
final class PooledInputStream(pool: FilePool, path: String, ahead: Int)
    extends AheadInputStream(path, ahead) {

  protected override def readAt(to: ByteBuffer, at: Long): Int = {
    val wasInterrupted = Thread.interrupted()
    try pool.read(path, to, at)
    catch { case _: ClosedByInterruptException => readAt(to, at) }
    finally if (wasInterrupted) Thread.currentThread.interrupt()
  }
}
