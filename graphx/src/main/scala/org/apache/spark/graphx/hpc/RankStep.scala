package org.apache.spark.graphx.hpc

import org.apache.spark.graphx.VertexId

/** One iteration of PageRank, as GraphX defines it: `reset + (1 - reset) * sum of rank * weight`. Personalised ranks are
  * those of walks that begin, and restart, at one vertex alone.
  *
  * @param sources the vertices of personalised ranks, of which each row has one for each source; none if the walk begins
  *                everywhere
  */
private[hpc] final class RankStep(reset: Double, sources: Array[VertexId]) extends Step {

  override val width: Int = math.max(1, sources.length)

  override def merge: Merge = Merge.Sum

  def initial(block: SparseBlock): Array[Double] = {
    val ranks = new Array[Double](Math.multiplyExact(block.size, width))
    if (sources.isEmpty) java.util.Arrays.fill(ranks, 1.0)
    begins(block).foreach(ranks(_) = 1.0)
    ranks
  }

  /** The places of the sources' own ranks. As in GraphX, only the last of equal sources counts. */
  private def begins(block: SparseBlock): Iterable[Int] =
    for ((source, i) <- sources.zipWithIndex.toMap; row <- block.rowOf(source))
      yield row * width + i

  override def sent(block: SparseBlock, ranks: Array[Double]): Array[Double] = {
    val shares = new Array[Double](ranks.length)
    var row = 0
    while (row < block.size) {
      if (block.degree(row) > 0) {
        val weight = block.weight(row)
        var at = row * width
        while (at < (row + 1) * width) {
          shares(at) = ranks(at) * weight
          at += 1
        }
      }
      row += 1
    }
    shares
  }

  override def kept(block: SparseBlock, ranks: Array[Double]): Option[Array[Double]] = None

  override def next(
      block: SparseBlock,
      kept: Array[Double],
      sums: Array[Double]
  ): Array[Double] = {
    val everywhere = if (sources.isEmpty) reset else 0.0
    var at = 0
    while (at < sums.length) {
      sums(at) = everywhere + (1.0 - reset) * sums(at)
      at += 1
    }
    begins(block).foreach(at => sums(at) += reset)
    sums
  }

  override def totals(block: SparseBlock, before: Array[Double], after: Array[Double]): Totals = {
    val sums = new Array[Double](width)
    var change = 0.0
    var senders = 0L
    var row = 0
    while (row < block.size) {
      var sends = false
      var i = 0
      while (i < width) {
        val at = row * width + i
        sums(i) += after(at)
        change += math.abs(after(at) - before(at))
        sends ||= after(at) != 0.0
        i += 1
      }
      if (sends && block.degree(row) > 0) senders += 1
      row += 1
    }
    Totals(block.size.toLong, sums.toVector, change, senders)
  }
}
