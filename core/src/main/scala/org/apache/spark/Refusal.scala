package org.apache.spark

import scala.util.control.NoStackTrace

/** A setting or a directory with which nothing can start: which it is, its value, and the remedy, in one line.
  *
  * It has no stack trace, since that is longer than all else that is said.
  */
private[spark] final class Refusal private (message: String)
    extends IllegalArgumentException(message)
    with NoStackTrace

private[spark] object Refusal {

  /** To be thrown. It is the process's last line, too, unless a context starts after all. */
  def apply(message: String): Refusal = {
    LastWords.set(message)
    new Refusal(message)
  }
}
