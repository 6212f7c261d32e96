package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.graphx.Graph

class ComponentsCheckSuite extends AnyFunSuite with WrongAnswers with LocalSession {
  private val graph = TestGraph.RMat(scale = 5, edgeFactor = 2, seed = 3)

  private lazy val right =
    Graph.fromEdges(graph.edges(spark.sparkContext, 2), 1).connectedComponents().vertices.collect()

  private def check(found: Seq[(Long, Long)]): Unit =
    ConnectedComponents.check(spark.sparkContext, graph, spark.sparkContext.parallelize(found, 2))

  test("the right answer passes") {
    check(right.toSeq)
  }

  test("a vertex in another component, a lost and a doubled vertex are found") {
    val (vertex, component) = right.head
    assertWrong("components", "checksum")(check((vertex, component + 1) +: right.tail))
    assertWrong(s"${right.length - 1} records")(check(right.tail))
    assertWrong(s"${right.length + 1} records")(check(right.head +: right))
  }

  test("a graph's edges don't depend on the number of partitions") {
    for (graph <- Seq(this.graph, TestGraph.Grid(5))) {
      val one = graph.onDriver(spark.sparkContext).toSeq
      for (partitions <- Seq(1, 3, 100)) {
        val edges = graph.edges(spark.sparkContext, partitions).collect()
        assert(edges.map(edge => (edge.srcId, edge.dstId)).toSeq == one)
      }
    }
  }
}
