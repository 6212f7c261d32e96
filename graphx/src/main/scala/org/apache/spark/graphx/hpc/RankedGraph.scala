package org.apache.spark.graphx.hpc

import java.util.Arrays

import scala.reflect.ClassTag

import org.apache.spark.graphx.{Graph, TripletFields, VertexId, VertexRDD}
import org.apache.spark.graphx.impl.{GraphImpl, ShippableVertexPartition}
import org.apache.spark.rdd.RDD

/** The graph that GraphX's PageRank returns: ranks at the vertices, and at each edge 1 / out-degree of its source. */
private[hpc] object RankedGraph {

  /** The ranks are cached and complete; the edges are made when somebody asks for them. */
  def of[VD: ClassTag, ED: ClassTag](
      graph: GraphImpl[VD, ED],
      groups: VertexGroups,
      blocks: RDD[SparseBlock],
      ranks: RDD[Array[Double]],
      factor: Double
  ): Graph[Double, Double] = {
    val vertices = ranked(graph, groups, blocks, ranks, factor).cache()
    vertices.foreachPartition(_ => ())
    val weights = graph
      .outerJoinVertices(graph.outDegrees)((_, _, degree) => degree.getOrElse(0))
      .mapTriplets(edge => 1.0 / edge.srcAttr, TripletFields.Src)
    GraphImpl(vertices, weights.edges)
  }

  private def ranked[VD, ED](
      graph: GraphImpl[VD, ED],
      groups: VertexGroups,
      blocks: RDD[SparseBlock],
      ranks: RDD[Array[Double]],
      factor: Double
  ): VertexRDD[Double] = {
    val ofBlocks = blocks.zipPartitions(ranks)((of, values) => of.map(_.vertices).zip(values))
    val partitions = graph.vertices.partitionsRDD
      .zipPartitions(groups.spread(ofBlocks), preservesPartitioning = true) { (parts, ofBlock) =>
        val (ids, values) = ofBlock.next()
        parts.map(withRanks(_, ids, values, factor))
      }
    graph.vertices.withPartitionsRDD(partitions)
  }

  private def withRanks(
      part: ShippableVertexPartition[_],
      ids: Array[VertexId],
      ranks: Array[Double],
      factor: Double
  ): ShippableVertexPartition[Double] = {
    val values = new Array[Double](part.capacity)
    part.mask.iterator.foreach { slot =>
      values(slot) = ranks(Arrays.binarySearch(ids, part.index.getValue(slot))) * factor
    }
    new ShippableVertexPartition(part.index, values, part.mask, part.routingTable)
  }
}
