package org.apache.spark.graphx.hpc

import scala.reflect.ClassTag

import org.apache.spark.graphx.{EdgeRDD, TripletFields, VertexRDD}
import org.apache.spark.graphx.impl.{GraphImpl, ShippableVertexPartition}
import org.apache.spark.rdd.RDD

/** Both ways between the ranks at a graph's vertices and the ranks of blocks' rows. */
private[hpc] object RankedGraph {

  /** The graph's vertices with attributes made of the blocks' states, cached and complete.
    *
    * @param attribute of a state and a row
    */
  def vertices[A: ClassTag](
      graph: GraphImpl[_, _],
      groups: VertexGroups,
      blocks: RDD[SparseBlock],
      states: RDD[Array[Double]]
  )(attribute: (Array[Double], Int) => A): VertexRDD[A] = {
    val ofBlocks = blocks.zipPartitions(states)((of, values) => of.zip(values))
    val partitions = graph.vertices.partitionsRDD
      .zipPartitions(groups.spread(ofBlocks), preservesPartitioning = true) { (parts, ofBlock) =>
        val (block, state) = ofBlock.next()
        parts.map(withAttributes(_, block)(attribute(state, _)))
      }
    val ranked = graph.vertices.withPartitionsRDD(partitions).cache()
    ranked.foreachPartition(_ => ())
    ranked
  }

  private def withAttributes[A: ClassTag](part: ShippableVertexPartition[_], block: SparseBlock)(
      attribute: Int => A
  ): ShippableVertexPartition[A] = {
    val values = new Array[A](part.capacity)
    part.mask.iterator.foreach { slot =>
      values(slot) = attribute(block.row(part.index.getValue(slot)))
    }
    new ShippableVertexPartition(part.index, values, part.mask, part.routingTable)
  }

  /** The blocks' rows with the vertices' ranks. */
  def rows(
      graph: GraphImpl[Double, _],
      groups: VertexGroups,
      blocks: RDD[SparseBlock]
  ): RDD[Array[Double]] =
    blocks.zipPartitions(groups.gathered(graph.vertices.partitionsRDD)) { (of, parts) =>
      of.map { block =>
        val ranks = new Array[Double](block.size)
        parts.foreach(_.iterator.foreach { case (id, rank) => ranks(block.row(id)) = rank })
        ranks
      }
    }

  /** The graph's edges, each with 1 / out-degree of its source. They are made when somebody asks for them. */
  def edges[VD: ClassTag, ED: ClassTag](graph: GraphImpl[VD, ED]): EdgeRDD[Double] =
    graph
      .outerJoinVertices(graph.outDegrees)((_, _, degree) => degree.getOrElse(0))
      .mapTriplets(edge => 1.0 / edge.srcAttr, TripletFields.Src)
      .edges
}
