package org.sparkhpc.tier

/** Receives reports of a disk that hangs. Any thread that makes requests may call it. */
trait StallListener {

  /** The disk hangs. Called once for each stall. */
  def stalled(): Unit = ()

  /** A stall that was reported is over. */
  def answered(): Unit = ()
}
