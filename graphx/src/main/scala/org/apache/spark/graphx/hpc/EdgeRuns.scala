package org.apache.spark.graphx.hpc

import org.apache.spark.graphx.{Edge, VertexId}
import org.apache.spark.util.collection.PrimitiveVector

/** Edges on their way to the block of their sources: runs of edges of one source and, if there are weights, of one weight.
  */
private[hpc] final case class EdgeRuns(
    sources: Array[VertexId],
    lengths: Array[Int],
    destinations: Array[VertexId],
    weights: Array[Double]
)

private[hpc] object EdgeRuns {

  /** Edges that lead the other way. As in GraphX, the iterator returns the same object for each. */
  def reversed(edges: Iterator[Edge[_]]): Iterator[Edge[_]] = {
    val turned = new Edge[Null]()
    edges.map { edge =>
      turned.srcId = edge.dstId
      turned.dstId = edge.srcId
      turned
    }
  }

  /** The edges by the block of their sources. Edges of one source are stored more compactly if they are adjacent, as
    * they are in GraphX's edge partitions.
    */
  def of(edges: Iterator[Edge[_]], groups: VertexGroups): Iterator[(Int, EdgeRuns)] =
    built(edges, groups, Array.fill(groups.blocks)(new Builder(None)), (_: Edge[_]) => 0.0)

  /** The same, with the edges' attributes as weights. */
  def weighted(edges: Iterator[Edge[Double]], groups: VertexGroups): Iterator[(Int, EdgeRuns)] =
    built(
      edges,
      groups,
      Array.fill(groups.blocks)(new Builder(Some(new PrimitiveVector[Double]()))),
      (edge: Edge[Double]) => edge.attr
    )

  private def built[E <: Edge[_]](
      edges: Iterator[E],
      groups: VertexGroups,
      builders: Array[Builder],
      weightOf: E => Double
  ): Iterator[(Int, EdgeRuns)] = {
    var builder: Builder = null
    var source = 0L
    var weight = 0.0
    edges.foreach { edge =>
      if (builder == null || edge.srcId != source || weightOf(edge) != weight) {
        source = edge.srcId
        weight = weightOf(edge)
        builder = builders(groups.blockOf(source))
        builder.begin(source, weight)
      }
      builder.add(edge.dstId)
    }
    builders.iterator.zipWithIndex.collect {
      case (built, block) if built.nonEmpty => block -> built.runs
    }
  }

  private final class Builder(weights: Option[PrimitiveVector[Double]]) {
    private val sources = new PrimitiveVector[VertexId]()
    private val starts = new PrimitiveVector[Int]()
    private val destinations = new PrimitiveVector[VertexId]()

    def begin(source: VertexId, weight: Double): Unit = {
      sources += source
      weights.foreach(_ += weight)
      starts += destinations.size
    }

    def add(destination: VertexId): Unit = destinations += destination

    def nonEmpty: Boolean = sources.size > 0

    def runs: EdgeRuns = {
      val ends = starts.trim().array.drop(1) :+ destinations.size
      val lengths = ends.zip(starts.array).map { case (end, start) => end - start }
      EdgeRuns(
        sources.trim().array,
        lengths,
        destinations.trim().array,
        weights.map(_.trim().array).orNull
      )
    }
  }
}
