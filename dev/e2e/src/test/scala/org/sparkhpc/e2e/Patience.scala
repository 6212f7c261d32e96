package org.sparkhpc.e2e

import scala.annotation.tailrec
import scala.concurrent.duration._

/** Waiting for what another process does. */
object Patience {

  /** The first answer, or an error that shows what there was instead. */
  def until[A](what: String, limit: FiniteDuration = 2.minutes)(
      answer: => Option[A]
  )(otherwise: => String): A = {
    val deadline = limit.fromNow
    @tailrec
    def again(): A = answer match {
      case Some(a) => a
      case None if deadline.isOverdue() =>
        throw new AssertionError(s"no $what within $limit; instead:\n${briefly(otherwise)}")
      case None =>
        Thread.sleep(100)
        again()
    }
    again()
  }

  /** A log without the thousands of lines that say nothing unusual; but all of its end. */
  private def briefly(log: String): String = {
    val lines = log.linesIterator.toSeq
    val (before, end) = lines.splitAt(lines.size - End)
    val unusual = before.filterNot(_.contains(" INFO "))
    (unusual.take(Unusual) ++ unusual.drop(Unusual).takeRight(Unusual) ++ end).mkString("\n")
  }

  private val Unusual = 200
  private val End = 50
}
