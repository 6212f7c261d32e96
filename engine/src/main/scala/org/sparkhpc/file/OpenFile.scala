package org.sparkhpc.file

import java.io.IOException
import java.nio.channels.{ClosedByInterruptException, FileChannel}
import java.util.ArrayList
import java.util.concurrent.{ExecutionException, FutureTask}

/** A file of the pool and the threads that read from it now. The pool's lock guards everything but the channel.
  *
  * @param opened see [[IdleOrder]]
  */
private[file] final class OpenFile(
    val path: String,
    val opened: Long,
    open: () => FileChannel
) {
  private val opening = new FutureTask[FileChannel](() => open())

  /** One entry for each read in progress. */
  val borrowers = new ArrayList[Thread](1)

  /** Its rank among the idle files, while it is one of them. */
  var rank: Long = 0L

  /** The open channel. The first borrower opens it and the others wait; if that fails, all of them get the
    * failure.
    */
  def channel: FileChannel = {
    opening.run()
    try opening.get()
    catch {
      case failure: ExecutionException => throw failure.getCause
      case _: InterruptedException =>
        Thread.currentThread.interrupt()
        throw new ClosedByInterruptException
    }
  }

  /** Closes the channel. Called when nobody borrows the file any more. */
  def close(): Unit =
    try if (opening.isDone) opening.get().close()
    catch {
      // The open failed, or the close did; a file that was only read loses nothing by that.
      case _: ExecutionException | _: IOException => ()
    }
}
