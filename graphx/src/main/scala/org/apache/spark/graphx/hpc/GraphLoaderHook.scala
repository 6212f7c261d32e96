package org.apache.spark.graphx.hpc

import scala.annotation.nowarn

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Graph, GraphLoader}
import org.apache.spark.graphx.impl.GraphImpl
import org.apache.spark.storage.StorageLevel

/** Runs before the method of GraphX's `GraphLoader`, with its parameters. Null declines, and Spark's own method runs. */
object GraphLoaderHook {

  @nowarn("cat=unused-params") // Spark's method has them
  def edgeListFile(
      loader: GraphLoader.type,
      context: SparkContext,
      path: String,
      isCanonical: Boolean,
      partitions: Int,
      edgeLevel: StorageLevel,
      vertexLevel: StorageLevel
  ): Graph[Int, Int] =
    if (EngineChoice.isOn(context)) {
      val edges = EdgeListFile.read(context, path, isCanonical, partitions)
      edges.persist(edgeLevel).setName(s"GraphLoader.edgeListFile - edges ($path)").count()
      EngineCounts.runs.inc()
      GraphImpl.fromEdgePartitions(
        edges,
        defaultVertexAttr = 1,
        edgeStorageLevel = edgeLevel,
        vertexStorageLevel = vertexLevel
      )
    } else EngineChoice.declined(s"Loading $path", EngineChoice.isOff)
}
