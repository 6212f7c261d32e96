package org.apache.spark

import scala.util.control.NoStackTrace

/** Thrown when a setting or a directory prevents the start. The message has its name, its value and the remedy, in one
  * line. There is no stack trace, which would hide the message.
  */
private[spark] final class Refusal private (message: String)
    extends IllegalArgumentException(message)
    with NoStackTrace

private[spark] object Refusal {

  /** A refusal to throw. Its message is also the process's last line, unless a context starts after all. */
  def apply(message: String): Refusal = {
    LastWords.set(message)
    new Refusal(message)
  }
}
