package org.apache.spark.examples.hpc

import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.rdd.RDD

/** Single-source shortest paths by GraphX's Pregel, from the least vertex, over edges that have
  * lengths and can be gone both ways.
  *
  * As Malewicz et al., "Pregel: a system for large-scale graph processing", SIGMOD 2010, section
  * 5.2. A vertex that can't be reached is [[Dijkstra.Unreached]] away.
  */
object ShortestPaths extends VertexWorkload {
  import Dijkstra.Unreached

  override protected def label: String = "shortestpaths"
  override protected def about: String = "Single-source shortest paths by GraphX's Pregel"
  override protected def found: String = "distances"

  override protected def onSpark(graph: Graph[Int, Int]): RDD[(VertexId, Long)] = {
    val source = graph.vertices.map(_._1).min()
    graph
      .mapVertices((vertex, _) => if (vertex == source) 0L else Unreached)
      .pregel(Unreached)(
        (_, distance, offered) => math.min(distance, offered),
        edge => {
          val length = Dijkstra.length(edge.srcId, edge.dstId)
          val there = edge.srcAttr + length
          val back = edge.dstAttr + length
          if (there < edge.dstAttr) Iterator((edge.dstId, there))
          else if (back < edge.srcAttr) Iterator((edge.srcId, back))
          else Iterator.empty
        },
        (one, other) => math.min(one, other)
      )
      .vertices
  }

  override protected def onDriver(edges: Iterator[(Long, Long)]): Iterator[(Long, Long)] = {
    val paths = new Dijkstra
    edges.foreach { case (one, other) => paths.join(one, other) }
    paths.distances
  }

  /** How many vertices can be reached, the source with them. */
  override protected def figure(numbers: RDD[(VertexId, Long)]): Long =
    numbers.filter { case (_, distance) => distance < Unreached }.count()
}
