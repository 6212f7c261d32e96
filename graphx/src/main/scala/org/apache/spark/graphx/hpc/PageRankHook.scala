package org.apache.spark.graphx.hpc

import scala.annotation.nowarn
import scala.reflect.ClassTag

import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.graphx.lib.PageRank
import org.apache.spark.ml.linalg.Vector

/** Runs before methods of GraphX's `PageRank`, with their parameters. Null declines, and Spark's own method runs, also to
  * refuse parameters.
  */
@nowarn("cat=unused-params") // Spark's methods have them
object PageRankHook {

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
    if (iterations > 0 && isProbability(reset))
      Engine.run[VD, ED, Double, Double](name(source), graph, 1)(
        _.fixed(
          iterations,
          new RankStep(reset, source.toArray),
          Engine.Scale(source.isDefined, normalized)
        )(vertexTag, edgeTag)
      )
    else null

  def runWithOptionsWithPreviousPageRank[VD, ED](
      pageRank: PageRank.type,
      graph: Graph[VD, ED],
      iterations: Int,
      reset: Double,
      source: Option[VertexId],
      normalized: Boolean,
      previous: Graph[Double, Double],
      vertexTag: ClassTag[VD],
      edgeTag: ClassTag[ED]
  ): Graph[Double, Double] =
    if (
      iterations > 0 && isProbability(reset) && graph.vertices.count() == previous.vertices.count()
    )
      Engine.run[Double, Double, Double, Double](
        name(source) + ", on from earlier ranks",
        previous,
        1
      )(
        Engine.further(
          _,
          iterations,
          new RankStep(reset, source.toArray),
          Engine.Scale(source.isDefined, normalized)
        )
      )
    else null

  def runUntilConvergenceWithOptions[VD, ED](
      pageRank: PageRank.type,
      graph: Graph[VD, ED],
      tolerance: Double,
      reset: Double,
      source: Option[VertexId],
      vertexTag: ClassTag[VD],
      edgeTag: ClassTag[ED]
  ): Graph[Double, Double] =
    if (tolerance >= 0 && isProbability(reset))
      Engine.run[VD, ED, Double, Double](name(source) + " until convergence", graph, 1)(
        _.untilConvergence(
          new GrowthStep(tolerance, reset, source),
          Engine.Scale(source.isDefined, isNormalized = true)
        )(vertexTag, edgeTag)
      )
    else null

  def runParallelPersonalizedPageRank[VD, ED](
      pageRank: PageRank.type,
      graph: Graph[VD, ED],
      iterations: Int,
      reset: Double,
      sources: Array[VertexId],
      vertexTag: ClassTag[VD],
      edgeTag: ClassTag[ED]
  ): Graph[Vector, Double] =
    if (iterations > 0 && isProbability(reset) && sources.nonEmpty)
      Engine.run[VD, ED, Vector, Double](
        s"PageRank from each of ${sources.length} vertices",
        graph,
        sources.length
      )(
        _.parallel(iterations, new RankStep(reset, sources))(vertexTag, edgeTag)
      )
    else null

  private def name(source: Option[VertexId]): String =
    "PageRank" + source.fold("")(vertex => s" from vertex $vertex")

  private def isProbability(reset: Double): Boolean = reset >= 0 && reset <= 1
}
