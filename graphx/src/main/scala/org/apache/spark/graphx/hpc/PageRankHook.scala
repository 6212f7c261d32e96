package org.apache.spark.graphx.hpc

import scala.annotation.nowarn
import scala.reflect.ClassTag

import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.graphx.lib.PageRank

/** Runs before methods of GraphX's `PageRank`. Null declines, and Spark's own method runs. */
object PageRankHook {

  @nowarn("cat=unused-params") // Spark's method has them
  def runWithOptions[VD, ED](
      pageRank: PageRank.type,
      graph: Graph[VD, ED],
      iterations: Int,
      reset: Double,
      source: Option[VertexId],
      normalized: Boolean,
      vertexTag: ClassTag[VD],
      edgeTag: ClassTag[ED]
  ): Graph[Double, Double] =
    // Spark's own method refuses the rest.
    if (iterations > 0 && reset >= 0 && reset <= 1) {
      val name = if (source.isEmpty) "PageRank" else s"PageRank from vertex ${source.get}"
      Engine.run[VD, ED, Graph[Double, Double]](name, graph) { engine =>
        engine.pageRank(iterations, new RankStep(reset, source), source.isDefined, normalized)(
          vertexTag,
          edgeTag
        )
      }
    } else null
}
