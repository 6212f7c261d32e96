package org.apache.spark.examples.hpc

import java.util.Locale

/** One finished iteration of static PageRank. */
final case class Iteration(number: Int, millis: Long, cost: RunCounters) {

  override def toString: String =
    "iteration=%d seconds=%.3f %s".formatLocal(Locale.ROOT, number, millis / 1000.0, cost)
}
