package org.apache.spark.graphx.hpc

import scala.reflect.ClassTag

import org.apache.spark.{HashPartitioner, TaskContext}
import org.apache.spark.graphx.{EdgeDirection, VertexId}
import org.apache.spark.graphx.impl.{EdgePartition, GraphImpl}
import org.apache.spark.rdd.{RDD, ShuffledRDD}
import org.apache.spark.storage.StorageLevel

/** The blocks of a graph, one in each partition. They are made by two shuffles: edges go to the block of their source,
  * then each block says to which vertices it has edges.
  */
private[hpc] object SparseBlocks {

  /** @param direction in which edges lead from the rows: `Out`, `In` or, each in both, `Either`
    * @return the blocks, persisted and complete; the caller unpersists them
    */
  def of[VD, ED](
      graph: GraphImpl[VD, ED],
      groups: VertexGroups,
      direction: EdgeDirection
  ): RDD[SparseBlock] =
    complete(graph, groups) { part =>
      def out = EdgeRuns.of(part.iterator, groups)
      def in = EdgeRuns.of(EdgeRuns.reversed(part.iterator), groups)
      direction match {
        case EdgeDirection.Out => out
        case EdgeDirection.In => in
        case _ => out ++ in
      }
    }

  /** The same, with the edges' attributes as weights. */
  def weighted[VD](graph: GraphImpl[VD, Double], groups: VertexGroups): RDD[SparseBlock] =
    complete(graph, groups)(part => EdgeRuns.weighted(part.iterator, groups))

  private def complete[VD, ED](graph: GraphImpl[VD, ED], groups: VertexGroups)(
      runs: EdgePartition[ED, VD] => Iterator[(Int, EdgeRuns)]
  ): RDD[SparseBlock] = {
    val ofEdges = graph.edges.partitionsRDD.mapPartitions(_.flatMap(part => runs(part._2)))
    val rows = rowsOf(graph, groups, ofEdges).persist(StorageLevel.MEMORY_AND_DISK)
    try {
      val blocks = routed(rows, groups.blocks).persist(StorageLevel.MEMORY_AND_DISK)
      try blocks.foreachPartition(_ => ())
      catch {
        case failure: Throwable =>
          blocks.unpersist()
          throw failure
      }
      blocks
    } finally rows.unpersist()
  }

  private def rowsOf[VD](
      graph: GraphImpl[VD, _],
      groups: VertexGroups,
      runs: RDD[(Int, EdgeRuns)]
  ): RDD[BlockRows] = {
    val vertices = groups.gathered(graph.vertices.partitionsRDD)
    vertices.zipPartitions(toBlocks(runs, groups.blocks)) { (parts, arriving) =>
      val ids =
        parts.map(part => part.mask.iterator.map(part.index.getValue(_)).toArray).toArray.flatten
      Iterator(BlockRows.of(ids, arriving.toVector, groups))
    }
  }

  private def routed(rows: RDD[BlockRows], blocks: Int): RDD[SparseBlock] = {
    val targets = rows.mapPartitions { of =>
      val from = TaskContext.getPartitionId()
      of.flatMap(_.targets).map { case (to, ids) => to -> (from -> ids) }
    }
    rows.zipPartitions(toBlocks[(Int, Array[VertexId])](targets, blocks)) { (of, senders) =>
      of.map(_.routed(blocks, senders))
    }
  }

  /** Sends each value to the block that is its key. */
  def toBlocks[T: ClassTag](values: RDD[(Int, T)], blocks: Int): RDD[T] =
    exchange(values, blocks).mapPartitions(_.map(_._2))

  /** As `toBlocks`, with the keys. */
  def exchange[T: ClassTag](values: RDD[(Int, T)], blocks: Int): ShuffledRDD[Int, T, T] =
    new ShuffledRDD[Int, T, T](values, new HashPartitioner(blocks))
}
