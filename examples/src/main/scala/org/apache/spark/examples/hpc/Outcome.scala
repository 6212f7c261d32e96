package org.apache.spark.examples.hpc

/** What a workload says of itself when its answer was right, or wasn't looked at. */
final case class Outcome(figures: Seq[(String, Any)], checked: Boolean)

object Outcome {
  def checked(figures: (String, Any)*): Outcome = Outcome(figures, checked = true)
}
