package org.apache.spark.examples.hpc

import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.rdd.RDD

/** GraphX's connected components of a graph, each named by its least vertex.
  *
  * The number of iterations is the graph's width: a few for R-MAT, many for a grid.
  */
object ConnectedComponents extends VertexWorkload {

  override protected def label: String = "components"
  override protected def about: String = "GraphX's connected components"
  override protected def found: String = "components"

  override protected def onSpark(graph: Graph[Int, Int]): RDD[(VertexId, Long)] =
    graph.connectedComponents().vertices

  override protected def onDriver(edges: Iterator[(Long, Long)]): Iterator[(Long, Long)] = {
    val sets = new UnionFind
    edges.foreach { case (source, target) => sets.join(source, target) }
    sets.components
  }

  override protected def figure(numbers: RDD[(VertexId, Long)]): Long =
    numbers.filter { case (vertex, component) => vertex == component }.count()
}
