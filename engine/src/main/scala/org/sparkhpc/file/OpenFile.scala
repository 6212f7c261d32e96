package org.sparkhpc.file

import java.io.IOException
import java.nio.channels.{ClosedByInterruptException, FileChannel}
import java.util.ArrayList
import java.util.concurrent.{ExecutionException, FutureTask}

/** A file of the pool and who reads from it now; the pool's lock guards all but the channel.
  *
  * @param opened see [[IdleOrder]]
  */
private[file] final class OpenFile(
    val path: String,
    val opened: Long,
    open: () => FileChannel
) {
  private val opening = new FutureTask[FileChannel](() => open())

  /** One entry for each read that is under way. */
  val borrowers = new ArrayList[Thread](1)

  /** Its place among the idle files, while it is one. */
  var rank: Long = 0L

  /** The first of the borrowers opens it, the others wait for that; all get the failure, if any. */
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

  /** To be called when nobody borrows it any more. */
  def close(): Unit =
    try if (opening.isDone) opening.get().close()
    catch {
      // It was never open; or the close failed, by which nothing is lost that was only read.
      case _: ExecutionException | _: IOException => ()
    }
}
