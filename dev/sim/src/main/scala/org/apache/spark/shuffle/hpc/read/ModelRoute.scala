package org.apache.spark.shuffle.hpc.read

import com.codahale.metrics.Counter

/** The route that a reducer takes to another executor's blocks, as the real code chooses it before it has seen times. */
object ModelRoute {

  def isDirect(blocks: Int, reads: Int, bytes: Long, isOpen: Boolean): Boolean =
    new RouteChoice(new Counter, () => 0).isDirect(
      "owner",
      RouteChoice.Work(blocks, reads, bytes, isOpen)
    )
}
