package org.apache.spark.graphx.hpc

import org.apache.hadoop.io.Text

/** A line of an edge list: two vertex ids, then anything, between blanks. What `GraphLoader.edgeListFile` accepts and
  * refuses, but a usual line makes no objects.
  */
private[hpc] final class EdgeLine {
  private var bytes: Array[Byte] = _
  private var at = 0
  private var end = 0
  private var isUsual = true

  var source = 0L
  var destination = 0L

  /** Reads a line; false if it has no edge: it is empty, or a comment.
    *
    * @throws IllegalArgumentException if it isn't an edge
    */
  def read(line: Text): Boolean = {
    bytes = line.getBytes
    at = 0
    end = line.getLength
    if (end == 0 || bytes(0) == '#') false
    else {
      isUsual = true
      source = number()
      destination = number()
      if (!isUsual) readUnusual(line.toString)
      true
    }
  }

  /** A number, and the blanks behind it. */
  private def number(): Long = {
    val isNegative = at < end && bytes(at) == '-'
    if (isNegative) at += 1
    val first = at
    var value = 0L
    while (at < end && bytes(at) >= '0' && bytes(at) <= '9') {
      value = value * 10 + (bytes(at) - '0')
      at += 1
    }
    val digits = at - first
    while (at < end && isBlank(bytes(at))) at += 1
    // No number of so few digits is too large.
    isUsual &&= digits > 0 && digits <= 18 && (at == end || isBlank(bytes(at - 1)))
    if (isNegative) -value else value
  }

  private def isBlank(byte: Byte): Boolean = byte == ' ' || (byte >= '\t' && byte <= '\r')

  /** As GraphX reads every line. */
  private def readUnusual(line: String): Unit = {
    val fields = line.split("\\s+")
    if (fields.length < 2) throw new IllegalArgumentException("it has one field")
    source = fields(0).toLong
    destination = fields(1).toLong
  }
}
