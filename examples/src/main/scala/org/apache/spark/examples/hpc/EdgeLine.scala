package org.apache.spark.examples.hpc

/** Reads one line of a SNAP edge list from its bytes; it never throws and allocates nothing.
  *
  * {{{
  * line    = [blanks] ( comment | edge | nothing )
  * comment = "#" anything
  * edge    = id blanks id [blanks]
  * id      = digit { digit }          at most 2^63 - 1
  * }}}
  *
  * An instance serves one thread: `source` and `target` hold from a `read` that returned `Edge`
  * until the next `read`.
  */
final class EdgeLine {
  import EdgeLine._

  private var at = 0
  private var first = 0L
  private var second = 0L

  def source: Long = first
  def target: Long = second

  def read(bytes: Array[Byte], length: Int): Kind = {
    at = 0
    skipBlanks(bytes, length)
    if (at == length || bytes(at) == '#') {
      Nothing
    } else {
      first = number(bytes, length)
      val separator = at
      skipBlanks(bytes, length)
      val separated = at > separator
      second = number(bytes, length)
      skipBlanks(bytes, length)
      if (first >= 0 && separated && second >= 0 && at == length) Edge else Malformed
    }
  }

  private def skipBlanks(bytes: Array[Byte], length: Int): Unit =
    while (at < length && isBlank(bytes(at))) at += 1

  /** The number at the cursor, which moves behind it; -1 when there is none that fits. */
  private def number(bytes: Array[Byte], length: Int): Long = {
    val start = at
    var value = 0L
    while (at < length && isDigit(bytes(at)) && value >= 0) {
      val digit = bytes(at) - '0'
      value = if (value > (Long.MaxValue - digit) / 10) -1L else value * 10 + digit
      at += 1
    }
    if (at == start) -1L else value
  }
}

object EdgeLine {

  /** What a line is. */
  sealed trait Kind
  case object Edge extends Kind
  case object Nothing extends Kind
  case object Malformed extends Kind

  private def isDigit(byte: Byte): Boolean = byte >= '0' && byte <= '9'
  private def isBlank(byte: Byte): Boolean = byte == ' ' || (byte >= '\t' && byte <= '\r')
}
