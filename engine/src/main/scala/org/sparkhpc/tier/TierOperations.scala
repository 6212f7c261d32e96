package org.sparkhpc.tier

import com.codahale.metrics.{SlidingWindowReservoir, Timer}

/** Counts and times how often our own streams created, wrote to, opened, read and deleted files of a tier.
  * Operations that failed don't count.
  */
final class TierOperations {
  import TierOperations._

  val create, write, open, read, delete: Timer = new Timer(new SlidingWindowReservoir(Window))

  def all: Seq[(String, Timer)] = Seq(
    "create" -> create,
    "write" -> write,
    "open" -> open,
    "read" -> read,
    "delete" -> delete
  )
}

object TierOperations {

  /** Percentiles cover this many operations of each kind, the last ones. */
  private val Window = 1024
}
