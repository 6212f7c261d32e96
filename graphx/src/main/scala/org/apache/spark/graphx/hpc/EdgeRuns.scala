package org.apache.spark.graphx.hpc

import org.apache.spark.graphx.{Edge, VertexId}
import org.apache.spark.util.collection.PrimitiveVector

/** Edges on their way to the block of their sources: runs of edges of one source. */
private[hpc] final case class EdgeRuns(
    sources: Array[VertexId],
    lengths: Array[Int],
    destinations: Array[VertexId]
)

private[hpc] object EdgeRuns {

  /** The edges by the block of their sources. Edges of one source are stored more compactly if they are adjacent, as
    * they are in GraphX's edge partitions.
    */
  def of(edges: Iterator[Edge[_]], groups: VertexGroups): Iterator[(Int, EdgeRuns)] = {
    val builders = Array.fill(groups.blocks)(new Builder)
    var builder: Builder = null
    var source = 0L
    edges.foreach { edge =>
      if (builder == null || edge.srcId != source) {
        source = edge.srcId
        builder = builders(groups.blockOf(source))
        builder.begin(source)
      }
      builder.add(edge.dstId)
    }
    builders.iterator.zipWithIndex.collect {
      case (built, block) if built.nonEmpty => block -> built.runs
    }
  }

  private final class Builder {
    private val sources = new PrimitiveVector[VertexId]()
    private val starts = new PrimitiveVector[Int]()
    private val destinations = new PrimitiveVector[VertexId]()

    def begin(source: VertexId): Unit = {
      sources += source
      starts += destinations.size
    }

    def add(destination: VertexId): Unit = destinations += destination

    def nonEmpty: Boolean = sources.size > 0

    def runs: EdgeRuns = {
      val ends = starts.trim().array.drop(1) :+ destinations.size
      val lengths = ends.zip(starts.array).map { case (end, start) => end - start }
      EdgeRuns(sources.trim().array, lengths, destinations.trim().array)
    }
  }
}
