package org.sparkhpc.file

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.{ClosedByInterruptException, ClosedChannelException, FileChannel}
import java.nio.file.{FileSystemException, Path}

import org.sparkhpc.request.{RequestKind, Requests}

/** An open file that any number of threads read by position. Only [[SharedFiles]] makes, opens and closes one.
  *
  * @param identity the file that was found under the path before it was opened
  * @param owner the only one who may read it, or an object that stands for everybody
  * @param opened its number in the order of opens
  */
final class SharedFile private[file] (
    val path: Path,
    private[file] val identity: FileFacts.Identity,
    private[file] val owner: AnyRef,
    private[file] val opened: Long,
    openNow: Path => FileChannel
) {
  import SharedFile._

  /** The streams that have it open, and when the last one closed it. Guarded by the lock of [[SharedFiles]]. */
  private[file] var readers = 0
  private[file] var released = 0L

  private var channel: FileChannel = _

  /** Opens the file, unless it is open; other threads wait meanwhile. */
  private[file] def open(): Unit = synchronized {
    if (channel == null) channel = Requests.make(RequestKind.Open)(openNow(path))
  }

  private[file] def close(): Unit = synchronized {
    // A file that was only read loses nothing if that fails.
    try if (channel != null) channel.close()
    catch { case _: IOException => () }
  }

  /** Reads some bytes from offset `at`; -1 at the end of the file. An interrupt doesn't end it; the thread stays
    * interrupted.
    */
  def read(to: ByteBuffer, at: Long): Int = {
    var isInterrupted = Thread.interrupted()
    val start = to.position()
    var count = Again
    try
      while (count == Again) {
        to.position(start)
        try {
          val channel = current()
          count = Requests.make(RequestKind.Read)(channel.read(to, at))
        } catch {
          case _: ClosedByInterruptException => isInterrupted |= Thread.interrupted()
          case _: ClosedChannelException => () // another reader was interrupted
        }
      }
    finally if (isInterrupted) Thread.currentThread.interrupt()
    count
  }

  private def current(): FileChannel = synchronized {
    if (!channel.isOpen) {
      val again = Requests.make(RequestKind.Open)(openNow(path))
      if (isSame) channel = again
      else {
        again.close()
        throw new IOException(s"$path was replaced or changed while it was read")
      }
    }
    channel
  }

  private def isSame: Boolean =
    try FileFacts.of(path).identity == identity
    catch { case _: FileSystemException => false }
}

private object SharedFile {
  private val Again = -2
}
