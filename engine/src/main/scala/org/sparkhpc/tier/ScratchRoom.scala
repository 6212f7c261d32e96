package org.sparkhpc.tier

import java.io.File
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong

/** Tells how many bytes may still be written to the scratch directories before the reserve is touched.
  *
  * The file systems are asked at most once a second: on Lustre each answer costs a request.
  *
  * @param reserve bytes to keep free on each file system; None keeps a tenth of it, at most 4 GiB
  */
final class ScratchRoom(
    directories: Seq[File],
    reserve: Option[Long],
    now: () => Long = () => System.nanoTime()
) {
  import ScratchRoom._

  @volatile private var answer: Answer = _

  /** Bytes that the fullest of the directories has left; negative when the reserve is touched. */
  def left: Long = {
    val last = answer
    if (isFresh(last)) last.left.get else ask()
  }

  /** Whether [[left]] is known without a request. */
  def isKnown: Boolean = isFresh(answer)

  private def isFresh(answer: Answer): Boolean = answer != null && now() - answer.at < FreshNanos

  /** [[left]] as of the last time that the file systems were asked; None if they never were. */
  def lastKnown: Option[Long] = Option(answer).map(_.left.get)

  /** [[lastKnown]] as text, or which directory is gone. */
  def inWords: Option[String] = lastKnown.map { left =>
    directories.find(!_.isDirectory).map(gone => s"$gone is gone")
      .getOrElse(s"$left bytes free besides the reserve")
  }

  /** As [[left]], but asks the file systems now. A directory that is gone has no room. */
  def ask(): Long = {
    val left = if (directories.isEmpty) Long.MaxValue else directories.map(leftIn).min
    answer = new Answer(new AtomicLong(left), now())
    left
  }

  /** Subtracts bytes that were just written, without asking the file systems. */
  def took(bytes: Long): Unit = Option(answer).foreach(_.left.addAndGet(-bytes))

  private def leftIn(directory: File): Long =
    directory.getUsableSpace - reserve.getOrElse(math.min(directory.getTotalSpace / 10, MaxReserve))
}

object ScratchRoom {
  private final class Answer(val left: AtomicLong, val at: Long)

  private val FreshNanos = TimeUnit.SECONDS.toNanos(1)
  private val MaxReserve = 4L << 30
}
