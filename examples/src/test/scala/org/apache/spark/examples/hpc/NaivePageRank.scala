package org.apache.spark.examples.hpc

/** PageRank as a dense power iteration: slow, obvious, and with GraphX's way of normalising. */
object NaivePageRank {

  def apply(edges: Seq[(Long, Long)], iterations: Int, reset: Double): Map[Long, Double] = {
    val vertices = edges.flatMap { case (source, target) => Seq(source, target) }.distinct
    val outDegree = edges.groupBy(_._1).map { case (source, out) => source -> out.size }
    var ranks = vertices.map(_ -> 1.0).toMap
    for (_ <- 1 to iterations)
      ranks = vertices.map { vertex =>
        val received =
          edges.collect { case (source, `vertex`) => ranks(source) / outDegree(source) }.sum
        vertex -> (reset + (1 - reset) * received)
      }.toMap
    // What vertices without successors lose is spread over all, once, at the end.
    val scale = vertices.size / ranks.values.sum
    ranks.map { case (vertex, rank) => vertex -> rank * scale }
  }
}
