package org.apache.spark.sql.hpc.graph

import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.graphx.hpc.SortedEdges
import org.apache.spark.graphx.impl.GraphImpl
import org.apache.spark.sql.DataFrame
import org.apache.spark.storage.StorageLevel.MEMORY_AND_DISK
import org.apache.spark.util.collection.PrimitiveVector

/** A graph of a table of two vertex ids in each row. Its partitions are the table's. */
private[hpc] object RowsAsGraph {

  def apply(edges: DataFrame): Graph[Int, Int] = {
    val partitions = edges.queryExecution.toRdd.mapPartitionsWithIndex { (index, rows) =>
      val ids = new PrimitiveVector[VertexId]
      rows.foreach { row =>
        ids += row.getLong(0)
        ids += row.getLong(1)
      }
      Iterator(index -> SortedEdges.of(Array(ids.trim().array)))
    }
    GraphImpl.fromEdgePartitions(
      partitions.persist(MEMORY_AND_DISK),
      defaultVertexAttr = 1,
      edgeStorageLevel = MEMORY_AND_DISK,
      vertexStorageLevel = MEMORY_AND_DISK
    )
  }
}
