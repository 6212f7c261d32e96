package org.apache.spark.examples.hpc

import java.io.{ByteArrayOutputStream, PrintStream}

import org.apache.hadoop.fs.Path
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class PageRankSuite
    extends AnyFunSuite
    with LocalSession
    with TemporaryFiles
    with ScalaCheckPropertyChecks {

  private val edges: Gen[List[(Long, Long)]] =
    Gen.nonEmptyListOf(Gen.zip(Gen.chooseNum(0L, 12L), Gen.chooseNum(0L, 12L)))

  private def ranks(edges: Seq[(Long, Long)], options: PageRankOptions): Map[Long, Double] = {
    val path = file(edges.map { case (source, target) => s"$source $target" }.mkString("\n"))
    val out = new PrintStream(new ByteArrayOutputStream)
    val run = new PageRankRun(spark, options, out)
    run.ranks(run.graph(new Path(path.toString))).collect().toMap
  }

  test("agrees with a naive power iteration on any small graph", Slow) {
    forAll(edges, Gen.chooseNum(1, 4), Gen.choose(0.05, 1.0), minSuccessful(5), sizeRange(30)) {
      (graph: List[(Long, Long)], iterations: Int, reset: Double) =>
        val options = PageRankOptions(
          iterations = Some(iterations),
          partitions = 2,
          resetProbability = reset
        )
        val expected = NaivePageRank(graph, iterations, reset)
        val actual = ranks(graph, options)
        assert(actual.keySet == expected.keySet)
        expected.foreach { case (vertex, rank) => assert(math.abs(actual(vertex) - rank) < 1e-9) }
        assert(math.abs(actual.values.sum - expected.size) < 1e-9)
    }
  }

  test("the dynamic algorithm ends near the limit of the static one", Slow) {
    val graph = Seq((1L, 2L), (2L, 3L), (3L, 1L), (4L, 1L), (5L, 1L), (2L, 5L))
    // A high probability has it end after few iterations.
    val expected = NaivePageRank(graph, 200, 0.5)
    val actual = ranks(graph, PageRankOptions(dynamic = Some(1e-7), resetProbability = 0.5))
    assert(actual.keySet == expected.keySet)
    expected.foreach { case (vertex, rank) => assert(math.abs(actual(vertex) - rank) < 1e-5) }
  }

  test("the hub of a star is first") {
    val star = (1L to 9L).map(leaf => (leaf, 0L))
    assert(ranks(star, PageRankOptions(iterations = Some(3))).maxBy(_._2)._1 == 0L)
  }
}
