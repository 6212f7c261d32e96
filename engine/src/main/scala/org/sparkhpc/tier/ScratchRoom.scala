package org.sparkhpc.tier

import java.io.File
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong

/** How much more may be written to the scratch directories before what is kept free is touched.
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

  /** As [[left]] was when the file systems were last asked, if they ever were. */
  def lastKnown: Option[Long] = Option(answer).map(_.left.get)

  /** [[lastKnown]] for people, unless a directory is gone by now. */
  def inWords: Option[String] = lastKnown.map { left =>
    directories.find(!_.isDirectory).map(gone => s"$gone is gone")
      .getOrElse(s"$left bytes free besides the reserve")
  }

  /** As [[left]], by asking the file systems now: none in a directory that is gone. */
  def ask(): Long = {
    val left = if (directories.isEmpty) Long.MaxValue else directories.map(leftIn).min
    answer = new Answer(new AtomicLong(left), now())
    left
  }

  /** So many bytes were just written: they count at once. */
  def took(bytes: Long): Unit = Option(answer).foreach(_.left.addAndGet(-bytes))

  private def leftIn(directory: File): Long =
    directory.getUsableSpace - reserve.getOrElse(math.min(directory.getTotalSpace / 10, MaxReserve))
}

object ScratchRoom {
  private final class Answer(val left: AtomicLong, val at: Long)

  private val FreshNanos = TimeUnit.SECONDS.toNanos(1)
  private val MaxReserve = 4L << 30
}
