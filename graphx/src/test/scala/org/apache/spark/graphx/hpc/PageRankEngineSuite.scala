package org.apache.spark.graphx.hpc

import org.apache.spark.SparkException
import org.apache.spark.graphx.{Edge, EdgeRDD, Graph, PartitionStrategy, VertexId, VertexRDD}
import org.apache.spark.graphx.impl.GraphImpl
import org.apache.spark.graphx.lib.PageRank
import org.apache.spark.ml.{linalg => ml}
import org.apache.spark.storage.StorageLevel
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Each kind of PageRank beside GraphX's own, on graphs with parallel edges, self loops, sinks and isolated vertices. */
class PageRankEngineSuite extends AnyFunSuite with LocalContext with ScalaCheckPropertyChecks {
  import PartitionStrategy._

  private val strategies =
    Seq(EdgePartition1D, EdgePartition2D, RandomVertexCut, CanonicalRandomVertexCut)

  private def graph(edges: Seq[(VertexId, VertexId)], alone: Seq[VertexId], parts: Int) =
    Graph(
      context.parallelize(alone.map(_ -> "alone"), 2),
      context.parallelize(edges.map { case (from, to) => Edge(from, to, "edge") }, parts),
      "default"
    )

  private val ids = Gen.chooseNum(0L, 25L)
  private val graphs = for {
    edges <- Gen.nonEmptyListOf(Gen.zip(ids, ids))
    alone <- Gen.listOf(Gen.chooseNum(20L, 40L))
    // Each has its cost; with a strategy there is one more.
    parts <- Gen.chooseNum(1, 3)
    strategy <- Gen.option(Gen.oneOf(strategies))
  } yield {
    val made = graph(edges, alone, parts)
    strategy.fold(made)(made.partitionBy(_, parts + 1))
  }

  /** To 1e-9 of the other, or both not a number. */
  private def agree(one: Double, other: Double): Boolean =
    math.abs(one - other) <= 1e-9 * math.abs(other) || (one.isNaN && other.isNaN)

  private def assertSame(ours: Graph[Double, Double], stocks: Graph[Double, Double]): Unit = {
    val (ranks, expected) = (ours.vertices.collect().toMap, stocks.vertices.collect().toMap)
    assert(ranks.keySet == expected.keySet)
    for ((id, rank) <- ranks)
      assert(agree(rank, expected(id)), s"vertex $id: $rank, not ${expected(id)}")
    def triplets(of: Graph[Double, Double]): Array[(Long, Long, Double, Double, Double)] =
      of.triplets.map(t => (t.srcId, t.dstId, t.attr, t.srcAttr, t.dstAttr)).collect().sortBy(t =>
        (t._1, t._2)
      )
    val (found, wanted) = (triplets(ours), triplets(stocks))
    assert(found.length == wanted.length && ours.edges.count() == wanted.length)
    for ((one, other) <- found.zip(wanted)) {
      assert((one._1, one._2, one._3) == ((other._1, other._2, other._3)))
      assert(agree(one._4, other._4) && agree(one._5, other._5))
    }
  }

  test("ranks, weights and triplets are stock's, for any graph, reset, number of iterations") {
    forAll(
      graphs,
      Gen.chooseNum(1, 4),
      Gen.choose(0.0, 1.0),
      Gen.oneOf(true, false),
      minSuccessful(5)
    ) {
      (graph: Graph[String, String], iterations: Int, reset: Double, normalized: Boolean) =>
        def ranked: Graph[Double, Double] =
          PageRank.runWithOptions(graph, iterations, reset, None, normalized)
        assertSame(withEngine(ranked), withStock(ranked))
    }
  }

  test("personalised ranks are stock's, and as meaningless from a vertex that isn't there") {
    forAll(graphs, Gen.chooseNum(0L, 60L), minSuccessful(3)) {
      (graph: Graph[String, String], from: VertexId) =>
        def ranked: Graph[Double, Double] = graph.staticPersonalizedPageRank(from, 3)
        assertSame(withEngine(ranked), withStock(ranked))
    }
  }

  test("ranks at convergence are stock's, everybody's and one vertex's", Slow) {
    forAll(
      graphs,
      Gen.choose(0.003, 0.4),
      Gen.choose(0.1, 1.0),
      Gen.option(Gen.chooseNum(0L, 25L)),
      minSuccessful(4)
    ) {
      (graph: Graph[String, String], tolerance: Double, reset: Double, from: Option[VertexId]) =>
        def ranked: Graph[Double, Double] =
          PageRank.runUntilConvergenceWithOptions(graph, tolerance, reset, from)
        assertSame(withEngine(ranked), withStock(ranked))
    }
  }

  test("several personalised ranks at once are stock's of each source alone", Slow) {
    forAll(graphs, Gen.nonEmptyListOf(Gen.chooseNum(0L, 30L)), minSuccessful(3)) {
      (graph: Graph[String, String], some: List[VertexId]) =>
        val sources = some.take(3)
        val ours = withEngine(graph.staticParallelPersonalizedPageRank(sources.toArray, 2))
        val ranks = ours.vertices.collect().toMap
        for ((source, i) <- sources.zipWithIndex) {
          // Of equal sources, stock's own method uses only the last.
          val from = if (sources.lastIndexOf(source) == i) source else -1L
          val alone = withStock(graph.staticPersonalizedPageRank(from, 2)).vertices.collect().toMap
          assert(ranks.keySet == alone.keySet)
          for ((id, rank) <- alone) assert(agree(ranks(id)(i), rank), s"$i at vertex $id")
        }
        val edges = withStock(graph.staticPageRank(1)).edges
        assert(ours.edges.collect().toSet == edges.collect().toSet)
    }
  }

  // In more iterations, stock's own ranks are wrong: Breeze says that a vector without elements equals any other, so
  // GraphX doesn't send a vertex's first ranks to its edges.
  test("after one iteration, vectors of several ranks are stock's, to the form", Slow) {
    val pairs = (0L until 60L).map(i => (i % 17, i * i % 19))
    def ranks: Map[VertexId, ml.Vector] =
      graph(pairs, Seq(99L), 3).staticParallelPersonalizedPageRank(Array(1L, 5L, 99L, 77L), 1)
        .vertices.collect().toMap
    val (ours, stocks) = (withEngine(ranks), withStock(ranks))
    for ((id, expected) <- stocks) {
      assert(ours(id).getClass == expected.getClass && ours(id).numActives == expected.numActives)
      for ((one, other) <- ours(id).toArray.zip(expected.toArray)) assert(agree(one, other))
    }
  }

  test("convergence of nothing: a tolerance that no rank exceeds, and a graph without edges") {
    val small = graph(Seq(1L -> 2L, 2L -> 3L, 3L -> 1L, 1L -> 3L), Seq(9L), 2)
    assertSame(withEngine(small.pageRank(5.0)), withStock(small.pageRank(5.0)))
    val edgeless = small.subgraph(epred = _ => false)
    assertSame(withEngine(edgeless.pageRank(0.01)), withStock(edgeless.pageRank(0.01)))
    assertSame(withEngine(edgeless.staticPageRank(3)), withStock(edgeless.staticPageRank(3)))
  }

  test("ranks that go on from earlier ones are stock's", Slow) {
    forAll(graphs, Gen.option(Gen.chooseNum(0L, 25L)), Gen.oneOf(true, false), minSuccessful(4)) {
      (graph: Graph[String, String], from: Option[VertexId], normalized: Boolean) =>
        val earlier = withStock(PageRank.runWithOptions(graph, 1, 0.15, from, normalized))
        def further: Graph[Double, Double] =
          PageRank.runWithOptionsWithPreviousPageRank(graph, 2, 0.2, from, normalized, earlier)
        assertSame(withEngine(further), withStock(further))
    }
  }

  test("weights of earlier ranks are taken as they are, and declined if one source has several") {
    val whole = graph((0L until 60L).map(i => (i % 17, i * i % 19)), Nil, 3)
    val weighted = whole.mapVertices((id, _) => 1.0 + id).mapEdges(edge => 0.1 + edge.srcId)
    def further(from: Graph[Double, Double]): Graph[Double, Double] =
      whole.staticPageRank(3, 0.15, from)
    assertSame(withEngine(further(weighted)), withStock(further(weighted)))
    val uneven = weighted.mapEdges(edge => 0.1 + edge.dstId)
    assertDeclined(assertSame(set("auto")(further(uneven)), withStock(further(uneven))), 2)
  }

  test("each public way comes to the engine") {
    val small = graph(Seq(1L -> 2L, 2L -> 3L, 3L -> 1L, 1L -> 3L), Nil, 2)
    withEngine(small.staticPageRank(2))
    withEngine(small.staticPageRank(2, 0.2))
    withEngine(small.staticPageRank(2, 0.2, small.staticPageRank(1)))
    withEngine(small.staticPersonalizedPageRank(1L, 2))
    withEngine(small.staticParallelPersonalizedPageRank(Array(1L, 2L), 2))
    withEngine(small.pageRank(0.1))
    withEngine(small.personalizedPageRank(1L, 0.1))
    withEngine(PageRank.run(small, 2))
    withEngine(PageRank.runWithOptions(small, 2, 0.15, Some(1L)))
    withEngine(PageRank.runUntilConvergence(small, 0.1))
  }

  test("filtered, reversed and mapped graphs", Slow) {
    val whole = graph((0L until 60L).map(i => (i % 17, i * i % 19)), Seq(99L), 3)
    val some = Seq(
      whole.subgraph(vpred = (id, _) => id % 3 != 0),
      whole.subgraph(epred = triplet => triplet.srcId < triplet.dstId),
      whole.reverse,
      whole.mapVertices((id, _) => id.toDouble).mapEdges(edge => edge.srcId),
      whole.groupEdges((one, _) => one)
    )
    for (graph <- some)
      assertSame(withEngine(graph.staticPageRank(2)), withStock(graph.staticPageRank(2)))
  }

  test("as many iterations as kept states and more, and nothing of them stays", Slow) {
    val edges = (0L until 400L).map(i => (i % 37, i * i % 41))
    val cycle = graph(edges, Nil, 4).cache()
    val before = cycle.vertices.count() + cycle.edges.count()
    val persisted = context.getPersistentRDDs.keySet
    val ranked = withEngine(cycle.staticPageRank(23))
    // Its vertices, and its edges, which aren't made before somebody asks for them.
    val left = context.getPersistentRDDs.filterKeys(!persisted.contains(_)).values
    assert(left.count(_.getStorageLevel == StorageLevel.MEMORY_AND_DISK) == 0, left)
    assert(context.getRDDStorageInfo.map(_.id).toSet.diff(persisted).size == 1)
    assertSame(ranked, withStock(cycle.staticPageRank(23)))
    assert(cycle.vertices.count() + cycle.edges.count() == before)
  }

  test("the same ranks, to the last bit, in each run") {
    val edges = (0L until 500L).map(i => (i * 7 % 61, i * i % 67))
    def bits(): Seq[(VertexId, Double)] =
      withEngine(graph(edges, Nil, 4).staticPageRank(5)).vertices.collect().sorted.toSeq
    assert(bits() == bits())
  }

  test("job descriptions tell the iteration, and the caller's own comes back") {
    val small = graph(Seq(1L -> 2L, 2L -> 1L), Nil, 2)
    context.setJobDescription("mine")
    withEngine(small.staticPageRank(2))
    assert(context.getLocalProperty("spark.job.description") == "mine")
    context.setJobDescription(null)
  }

  test(
    "it declines, and counts that: by the setting, for an edge without its vertex, for no partitions"
  ) {
    assertDeclined(withStock(graph(Seq(1L -> 2L, 2L -> 1L), Nil, 2).staticPageRank(1)))

    val edges =
      EdgeRDD.fromEdges[Int, String](context.parallelize(Seq(Edge(1L, 2L, 0), Edge(1L, 3L, 0)), 2))
    val vertices = VertexRDD(context.parallelize(Seq(1L -> "one", 3L -> "three"), 2))
    val withoutTwo = GraphImpl(vertices.withEdges(edges), edges)
    assertDeclined {
      val ranks = set("auto")(withoutTwo.staticPageRank(1)).vertices.collect().toMap
      assert(ranks == withStock(withoutTwo.staticPageRank(1)).vertices.collect().toMap)
      EngineCounts.declines.dec() // that of the comparison
    }

    val nothing = Graph.fromEdges(context.emptyRDD[Edge[Int]], "none")
    assertDeclined(set("auto")(nothing.staticPageRank(1)))
  }

  test("a failure in the middle is thrown on, and leaves nothing persisted") {
    val before = context.getPersistentRDDs.keySet
    val block =
      new SparseBlock(Array(7L), Array(0, 1), Array(0), Array(0, 1), Array(Array(0)), null)
    val blocks = context.parallelize(Seq(block), 1)
    val failure = intercept[SparkException] {
      new PowerIteration("failing", blocks, blocks.map(_ => Array(1.0)), new FailingStep).run(15)
    }
    assert(failure.getMessage.contains("no thirteenth iteration"))
    assert(context.getPersistentRDDs.keySet.diff(before).isEmpty)
  }

  private def assertDeclined(program: => Any, times: Int = 1): Unit = {
    val before = EngineCounts.declines.getCount
    program
    assert(EngineCounts.declines.getCount == before + times)
  }
}

/** Counts iterations in a row's state, and fails in the thirteenth. */
private class FailingStep extends Step {
  override def width: Int = 1

  override def merge: Merge = Merge.Sum

  override def sent(block: SparseBlock, state: Array[Double]): Array[Double] = state

  override def kept(block: SparseBlock, state: Array[Double]): Option[Array[Double]] = None

  override def next(
      block: SparseBlock,
      kept: Array[Double],
      sums: Array[Double]
  ): Array[Double] =
    if (sums.head == 13) throw new IllegalStateException("no thirteenth iteration")
    else sums.map(_ + 1)

  override def totals(block: SparseBlock, before: Array[Double], after: Array[Double]): Totals =
    Totals(1, Vector(0.0), 0, 1)
}
