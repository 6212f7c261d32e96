package org.sparkhpc.tier

import com.codahale.metrics.{SlidingWindowReservoir, Timer}

/** How often files of a tier were created, written to, opened, read and deleted by our own streams,
  * and how long that took. What fails isn't in it.
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

  /** Percentiles are of so many last operations of a kind. */
  private val Window = 1024
}
