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
        throw new AssertionError(s"no $what within $limit; instead:\n$otherwise")
      case None =>
        Thread.sleep(100)
        again()
    }
    again()
  }
}
