package org.apache.spark.graphx.hpc

/** How the numbers that arrive at a row become one, in any order.
  *
  * @param nothing what changes no number
  */
private[hpc] sealed abstract class Merge(val nothing: Double) extends Serializable {
  def apply(one: Double, other: Double): Double
}

private[hpc] object Merge {

  object Sum extends Merge(0.0) {
    override def apply(one: Double, other: Double): Double = one + other
  }

  object Least extends Merge(Double.PositiveInfinity) {
    override def apply(one: Double, other: Double): Double = if (other < one) other else one
  }
}
