package org.apache.spark.graphx.hpc

import org.apache.spark.graphx.{Edge, Graph, PartitionStrategy, VertexId}
import org.apache.spark.graphx.lib.{ConnectedComponents, ShortestPaths}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Connected components and shortest paths beside GraphX's own. */
class LeastEngineSuite extends AnyFunSuite with LocalContext with ScalaCheckPropertyChecks {

  private def graph(
      edges: Seq[(VertexId, VertexId)],
      alone: Seq[VertexId],
      parts: Int
  ): Graph[String, Int] = Graph(
    context.parallelize(alone.map(_ -> "alone"), 2),
    context.parallelize(
      edges.zipWithIndex.map { case ((from, to), i) => Edge(from, to, i) },
      parts
    ),
    "default"
  )

  private val ids = Gen.chooseNum(-15L, 25L)
  // Few edges for their vertices: several components, and long paths.
  private val graphs = for {
    edges <- Gen.resize(40, Gen.nonEmptyListOf(Gen.zip(ids, ids)))
    alone <- Gen.resize(5, Gen.listOf(Gen.chooseNum(20L, 40L)))
    parts <- Gen.chooseNum(1, 4)
    strategy <- Gen.option(Gen.const(PartitionStrategy.EdgePartition2D))
  } yield {
    val made = graph(edges, alone, parts)
    strategy.fold(made)(made.partitionBy(_, parts + 1))
  }

  private def told[A](of: Graph[A, Int]): (Map[VertexId, A], Seq[Edge[Int]]) =
    (of.vertices.collect().toMap, of.edges.collect().sortBy(_.attr).toSeq)

  test("components are stock's, after any number of iterations, and edges stay as they are") {
    forAll(graphs, Gen.oneOf(1, 2, 3, Int.MaxValue), minSuccessful(8)) {
      (graph: Graph[String, Int], iterations: Int) =>
        def components: Graph[VertexId, Int] = ConnectedComponents.run(graph, iterations)
        assert(told(withEngine(components)) == told(withStock(components)))
    }
  }

  test(
    "the shortest paths to landmarks are stock's, also to none that is there and to equal ones",
    Slow
  ) {
    forAll(graphs, Gen.nonEmptyListOf(Gen.chooseNum(-15L, 45L)), minSuccessful(6)) {
      (graph: Graph[String, Int], some: List[VertexId]) =>
        val landmarks = some.take(4)
        def paths: Graph[ShortestPaths.SPMap, Int] = ShortestPaths.run(graph, landmarks)
        assert(told(withEngine(paths)) == told(withStock(paths)))
    }
  }

  test("each public way comes to the engine") {
    val small = graph(Seq(1L -> 2L, 2L -> 3L, 5L -> 6L), Nil, 2)
    withEngine(small.connectedComponents())
    withEngine(small.connectedComponents(3))
    withEngine(ConnectedComponents.run(small))
  }

  test("without landmarks, stock's own code runs") {
    val small = graph(Seq(1L -> 2L), Nil, 1)
    assert(told(set("auto")(ShortestPaths.run(small, Nil)))._1 == Map(1L -> Map(), 2L -> Map()))
  }

  test("components of ids that a double can't hold are stock's own") {
    val exact = 1L << 53
    val wide = graph(Seq(exact -> -exact, -exact -> 7L), Nil, 2)
    assert(told(withEngine(wide.connectedComponents()))._1.values.toSet == Set(-exact))
    for (id <- Seq(exact + 1, -exact - 1, Long.MaxValue, Long.MinValue)) {
      val declines = EngineCounts.declines.getCount
      val wider = graph(Seq(id -> (id ^ 1L), 3L -> 4L), Nil, 2)
      val components = told(set("auto")(wider.connectedComponents()))._1
      assert(components.values.toSet == Set(math.min(id, id ^ 1L), 3L))
      assert(EngineCounts.declines.getCount == declines + 1)
    }
  }
}
