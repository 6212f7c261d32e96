package org.apache.spark.graphx.hpc

import java.util.Arrays

/** One iteration in which each number becomes the least of what its row has and gets. A row sends its numbers, plus the
  * increment, if the last iteration made one of them less. The state has the numbers, then 1 for each that is new.
  */
private[hpc] final class LeastStep(override val width: Int, increment: Double) extends Step {

  override def merge: Merge = Merge.Least

  override def sent(block: SparseBlock, state: Array[Double]): Array[Double] = {
    val numbers = block.size * width
    val sent = new Array[Double](numbers)
    var at = 0
    while (at < numbers) {
      sent(at) = if (state(numbers + at) != 0.0) state(at) + increment else merge.nothing
      at += 1
    }
    sent
  }

  override def kept(block: SparseBlock, state: Array[Double]): Option[Array[Double]] =
    Some(Arrays.copyOf(state, block.size * width))

  override def next(block: SparseBlock, kept: Array[Double], got: Array[Double]): Array[Double] = {
    val state = Arrays.copyOf(kept, 2 * kept.length)
    var at = 0
    while (at < kept.length) {
      if (got(at) < kept(at)) {
        state(at) = got(at)
        state(kept.length + at) = 1.0
      }
      at += 1
    }
    state
  }

  override def totals(block: SparseBlock, before: Array[Double], after: Array[Double]): Totals = {
    var change, senders = 0L
    for (row <- 0 until block.size) {
      val first = after.length / 2 + row * width
      val changed = (first until first + width).count(after(_) != 0.0)
      change += changed
      if (changed > 0 && block.degree(row) > 0) senders += 1
    }
    Totals(block.size.toLong, Vector.empty, change.toDouble, senders)
  }
}

private[hpc] object LeastStep {

  /** A state in which all numbers but infinity are new. */
  def initial(numbers: Array[Double]): Array[Double] =
    numbers ++ numbers.map(number => if (number.isInfinite) 0.0 else 1.0)
}
