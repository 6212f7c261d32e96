package org.apache.spark.hpc.elements

/** An object whose lazy values are looked at through this, not in their fields. */
trait Observed {
  def observe: Any
}
