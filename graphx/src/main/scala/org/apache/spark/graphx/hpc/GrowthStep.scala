package org.apache.spark.graphx.hpc

import java.util.Arrays

/** One iteration of GraphX's PageRank until convergence: a row sends what the last iteration added to its rank, if that is
  * more than the tolerance. The state has the ranks, then what was added to each.
  *
  * @param source the vertex of personalised ranks
  */
private[hpc] final class GrowthStep(tolerance: Double, reset: Double, source: Option[Long])
    extends Step {

  override def width: Int = 1

  override def merge: Merge = Merge.Sum

  /** All of a rank is new. As in GraphX, it is the reset probability, or 1 at the source of personalised ranks. */
  def initial(block: SparseBlock): Array[Double] = {
    val state = new Array[Double](2 * block.size)
    // Not a number if the reset probability is 1, as in GraphX.
    if (source.isEmpty) Arrays.fill(state, (1.0 - reset) * (reset / (1.0 - reset)))
    for (row <- source.flatMap(block.rowOf)) {
      state(row) = 1.0
      state(block.size + row) = 1.0
    }
    state
  }

  override def sent(block: SparseBlock, state: Array[Double]): Array[Double] = {
    val shares = new Array[Double](block.size)
    var row = 0
    while (row < shares.length) {
      if (sends(block, state, row)) shares(row) = state(block.size + row) * block.weight(row)
      row += 1
    }
    shares
  }

  private def sends(block: SparseBlock, state: Array[Double], row: Int): Boolean =
    state(block.size + row) > tolerance && block.degree(row) > 0

  override def kept(block: SparseBlock, state: Array[Double]): Option[Array[Double]] =
    Some(Arrays.copyOf(state, block.size))

  override def next(
      block: SparseBlock,
      ranks: Array[Double],
      sums: Array[Double]
  ): Array[Double] = {
    val state = new Array[Double](2 * block.size)
    var row = 0
    while (row < block.size) {
      state(row) = ranks(row) + (1.0 - reset) * sums(row)
      state(block.size + row) = state(row) - ranks(row)
      row += 1
    }
    state
  }

  override def totals(block: SparseBlock, before: Array[Double], after: Array[Double]): Totals = {
    var sum, change = 0.0
    var senders = 0L
    var row = 0
    while (row < block.size) {
      sum += after(row)
      change += after(block.size + row)
      if (sends(block, after, row)) senders += 1
      row += 1
    }
    Totals(block.size.toLong, Vector(sum), change, senders)
  }
}
