package org.apache.spark.graphx.hpc

import scala.annotation.nowarn
import scala.reflect.ClassTag

import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.graphx.lib.ShortestPaths

/** Runs before the method of GraphX's `ShortestPaths`. Null declines, and Spark's own method runs. */
object ShortestPathsHook {

  @nowarn("cat=unused-params") // Spark's method has them
  def run[VD, ED](
      paths: ShortestPaths.type,
      graph: Graph[VD, ED],
      landmarks: Seq[VertexId],
      edgeTag: ClassTag[ED]
  ): Graph[Map[VertexId, Int], ED] = {
    val all = landmarks.distinct.toArray
    if (all.nonEmpty)
      Engine.run[VD, ED, Map[VertexId, Int], ED](
        s"ShortestPaths to ${all.length} vertices",
        graph,
        all.length
      )(_.distances(all)(edgeTag))
    else null
  }
}
