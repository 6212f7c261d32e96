package org.apache.spark.graphx.hpc

/** One iteration of PageRank, as GraphX defines it: `reset + (1 - reset) * sum of rank / degree`. The walk of a
  * personalised PageRank starts, and restarts, at one vertex alone.
  */
private[hpc] final class RankStep(reset: Double, source: Option[Long]) extends Step {

  override def initial(block: SparseBlock): Array[Double] = source match {
    case None => Array.fill(block.size)(1.0)
    case Some(vertex) =>
      val ranks = new Array[Double](block.size)
      val row = java.util.Arrays.binarySearch(block.vertices, vertex)
      if (row >= 0) ranks(row) = 1.0
      ranks
  }

  override def sent(block: SparseBlock, ranks: Array[Double]): Array[Double] = {
    val shares = new Array[Double](ranks.length)
    var row = 0
    while (row < ranks.length) {
      val degree = block.degree(row)
      if (degree > 0) shares(row) = ranks(row) * (1.0 / degree)
      row += 1
    }
    shares
  }

  override def next(block: SparseBlock, sums: Array[Double]): Array[Double] = {
    val everywhere = if (source.isEmpty) reset else 0.0
    var row = 0
    while (row < sums.length) {
      sums(row) = everywhere + (1.0 - reset) * sums(row)
      row += 1
    }
    for (vertex <- source) {
      val row = java.util.Arrays.binarySearch(block.vertices, vertex)
      if (row >= 0) sums(row) += reset
    }
    sums
  }
}
