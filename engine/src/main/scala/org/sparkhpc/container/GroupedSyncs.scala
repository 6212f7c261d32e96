package org.sparkhpc.container

import java.io.IOException
import java.nio.channels.ClosedChannelException

/** Waits until the device has what several threads wrote to a file: one sync serves all threads that wait
  * for it.
  *
  * After a sync has failed, all later ones fail: the operating system reports a lost write once, and the next
  * sync would succeed without it.
  *
  * @param force syncs the file
  */
private[container] final class GroupedSyncs(force: () => Unit) {
  private val forcing = new Object
  private var kept = 0L
  private var failure: Option[IOException] = None
  @volatile private var written = 0L

  /** Counts a write, and returns its number for [[await]]. Only one thread may call this at a time. */
  def wrote(): Long = {
    written += 1
    written
  }

  /** Returns when the device has this write and all before it. */
  def await(write: Long): Unit = forcing.synchronized {
    for (before <- failure)
      throw new IOException(s"an earlier write was lost: ${before.getMessage}", before)
    if (kept < write) {
      val all = written
      try force()
      catch {
        case interrupt: ClosedChannelException => throw interrupt
        case refusal: IOException =>
          failure = Some(refusal)
          throw refusal
      }
      kept = all
    }
  }
}
