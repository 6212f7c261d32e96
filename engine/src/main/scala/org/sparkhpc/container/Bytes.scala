package org.sparkhpc.container

import java.io.EOFException
import java.nio.ByteBuffer

/** The bytes of a file, which any number of threads read by position. */
trait Bytes {

  /** The file's name for errors. */
  def name: String

  /** Reads some bytes from `position` on; -1 at the end of the file. */
  def read(to: ByteBuffer, position: Long): Int

  /** Fills `to`, and sets its position back to where it began. Throws EOFException if the file ends before. */
  final def fill(to: ByteBuffer, position: Long): ByteBuffer = {
    val wanted = to.remaining
    if (some(to, position).remaining < wanted) {
      throw new EOFException(s"$name is too short for $wanted bytes at offset $position")
    }
    to
  }

  /** Reads until `to` is full or the file ends. The bytes are then between its position and its limit. */
  final def some(to: ByteBuffer, position: Long): ByteBuffer = {
    val start = to.position()
    var count = 0
    while (to.hasRemaining && count >= 0) count = read(to, position + to.position() - start)
    to.limit(to.position())
    to.position(start)
    to
  }
}
