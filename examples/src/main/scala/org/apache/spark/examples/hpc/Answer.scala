package org.apache.spark.examples.hpc

/** Compares what a workload found with what it must have found; a difference is a [[Refusal]]. */
object Answer {

  def equal[A](what: String, expected: A, found: A): Unit =
    if (expected != found) {
      throw Refusal.answer(s"$what: expected ${line(expected)}, found ${line(found)}")
    }

  /** A figure that is no number is above any bound. */
  def atMost(what: String, bound: Double, found: Double): Unit =
    if (!(found <= bound)) throw Refusal.answer(s"$what: expected at most $bound, found $found")

  private def line(value: Any): String = OneLine(value.toString, 300)
}
