package org.sparkhpc.container

import java.io.EOFException
import java.nio.ByteBuffer

/** A file's bytes, read by position; any number of threads at once. */
trait Bytes {

  /** As it stands in errors. */
  def name: String

  /** Some bytes from there on, or -1 at the end of the file. */
  def read(to: ByteBuffer, position: Long): Int

  /** Reads until `to` is full, and makes it ready to be taken; an EOFException if there aren't as many. */
  final def fill(to: ByteBuffer, position: Long): ByteBuffer = {
    val wanted = to.remaining
    if (some(to, position).remaining < wanted) {
      throw new EOFException(s"$name ends before the $wanted bytes at $position do")
    }
    to
  }

  /** Reads until `to` is full or the file ends, and makes it ready to be taken. */
  final def some(to: ByteBuffer, position: Long): ByteBuffer = {
    val start = to.position()
    var count = 0
    while (to.hasRemaining && count >= 0) count = read(to, position + to.position() - start)
    to.limit(to.position())
    to.position(start)
    to
  }
}
