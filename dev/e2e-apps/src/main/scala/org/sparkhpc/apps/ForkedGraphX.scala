package org.sparkhpc.apps

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Edge, Graph}

/** PageRank and connected components of a small graph, by a GraphX under another package: the build
  * renames it, here too.
  */
object ForkedGraphX {

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    try {
      // A wheel of 40 around vertex 0, and two islands.
      val wheel = (1L to 40L).flatMap(n => Seq(Edge(n, 0L, ()), Edge(n, n % 40 + 1, ())))
      val islands = Seq(Edge(101L, 100L, ()), Edge(102L, 101L, ()), Edge(200L, 201L, ()))
      val graph = Graph.fromEdges(sc.makeRDD(wheel ++ islands, 2), 0)

      val ranks = graph.staticPageRank(5).vertices.collect().sortBy(-_._2)
      Report.line("graph", graph.getClass.getName)
      Report.line("first", ranks.head._1)
      Report.line("ranks", ranks.map(_._2).sum.round)
      val components = graph.connectedComponents().vertices.map(_._2).countByValue()
      Report.line("components", components.toSeq.sorted.mkString(" "))
      Report.storageClasses(sc, 1)
    } finally sc.stop()
  }
}
