package org.apache.spark.graphx.hpc

import scala.annotation.nowarn
import scala.reflect.ClassTag

import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.graphx.lib.ConnectedComponents

/** Runs before the method of GraphX's `ConnectedComponents`. Null declines, and Spark's own method runs. */
object ConnectedComponentsHook {

  @nowarn("cat=unused-params") // Spark's method has them
  def run[VD, ED](
      components: ConnectedComponents.type,
      graph: Graph[VD, ED],
      iterations: Int,
      vertexTag: ClassTag[VD],
      edgeTag: ClassTag[ED]
  ): Graph[VertexId, ED] =
    if (iterations > 0)
      Engine.run[VD, ED, VertexId, ED]("ConnectedComponents", graph, 1)(
        _.components(iterations)(edgeTag)
      )
    else null
}
