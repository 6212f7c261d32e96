package org.sparkhpc.container

import java.io.{Closeable, IOException}
import java.nio.ByteBuffer
import java.nio.channels.{ClosedByInterruptException, ClosedChannelException, FileChannel}
import java.nio.file.{OpenOption, Path}
import java.nio.file.StandardOpenOption.{CREATE_NEW, READ, WRITE}

import scala.annotation.tailrec

import org.sparkhpc.request.{RequestKind, Requests}

/** A new file that any number of threads write and read by position.
  *
  * In Java, an interrupt closes the channel that the interrupted thread uses. That thread gets
  * ClosedByInterruptException; for the others the file is opened again, and they don't notice.
  *
  * @param open opens the file
  */
private[container] final class InterruptibleFile(
    path: Path,
    open: (Path, Seq[OpenOption]) => FileChannel
) extends Bytes
    with Closeable {

  private var channel = opened(CREATE_NEW, READ, WRITE)
  private var isClosed = false

  override def name: String = path.toString

  @tailrec override def read(to: ByteBuffer, position: Long): Int = {
    var count = 0
    def readSome(channel: FileChannel): Unit =
      count = Requests.make(RequestKind.Read)(channel.read(to, position))
    if (isDone(readSome)) count else read(to, position)
  }

  @tailrec def write(bytes: ByteBuffer, at: Long): Unit =
    if (!isWritten(bytes.duplicate(), at)) write(bytes, at)

  private def isWritten(bytes: ByteBuffer, at: Long): Boolean = isDone { channel =>
    val begin = bytes.position()
    while (bytes.hasRemaining)
      Requests.make(RequestKind.Write)(channel.write(bytes, at + bytes.position() - begin))
  }

  /** Returns when the device has what was written. */
  @tailrec def force(): Unit = if (!isDone(_.force(false))) force()

  /** Cuts the file off, even if this thread is interrupted; its interrupt status is kept. */
  def truncate(length: Long): Unit = {
    val isInterrupted = Thread.interrupted()
    try while (!isDone(_.truncate(length): Unit)) {}
    finally if (isInterrupted) Thread.currentThread.interrupt()
  }

  /** Closes the descriptor until the file is used again. */
  def rest(): Unit = synchronized(channel.close())

  override def close(): Unit = synchronized {
    isClosed = true
    channel.close()
  }

  /** False if another thread closed the channel meanwhile. */
  private def isDone(action: FileChannel => Unit): Boolean =
    try {
      action(current())
      true
    } catch {
      case interrupt: ClosedByInterruptException => throw interrupt
      case closed: ClosedChannelException => if (synchronized(isClosed)) throw closed else false
      case failure: IOException =>
        throw new IOException(s"$path can't be read or written: ${failure.getMessage}", failure)
    }

  private def current(): FileChannel = synchronized {
    if (!isClosed && !channel.isOpen) channel = opened(READ, WRITE)
    channel
  }

  private def opened(how: OpenOption*): FileChannel =
    Requests.make(RequestKind.Open)(open(path, how))
}
