package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SparkContext

class LoopChecksSuite extends AnyFunSuite with WrongAnswers with LocalSession {
  private def sc: SparkContext = spark.sparkContext

  test("ShortestPaths: a distance that is off and a vertex that was lost are found") {
    val graph = TestGraph.Grid(4)
    val paths = new Dijkstra
    graph.onDriver(sc).foreach { case (one, other) => paths.join(one, other) }
    val right = paths.distances.toSeq
    def check(found: Seq[(Long, Long)]): Unit =
      ShortestPaths.check(sc, graph, sc.parallelize(found, 2))
    check(right)
    val (vertex, distance) = right.head
    assertWrong("distances", "checksum")(check((vertex, distance + 1) +: right.tail))
    assertWrong("15 records")(check(right.tail))
  }

  test("LabelPropagation: a member of another community and a lost one are found") {
    val options = LabelPropagationOptions(communities = 3, members = 4)
    val right = (0L until 15L).map(vertex => (vertex, options.planted.leader(vertex)))
    def check(found: Seq[(Long, Long)]): Unit =
      LabelPropagation.check(options, sc.parallelize(found, 2))
    check(right)
    assertWrong("labels", "checksum")(check((0L, 1L) +: right.tail))
    assertWrong("14 records")(check(right.tail))
  }

  private val triangle = Seq((1L, 2L), (2L, 1L), (2L, 3L), (3L, 1L), (4L, 1L), (1L, 5L))

  test("RankLoop: the driver's ranks are those of the formula") {
    val first = RanksOnDriver(triangle.iterator, 1)
    val expected = Map(
      1L -> (0.5 + 1 + 1),
      2L -> 0.5,
      3L -> 0.5,
      5L -> 0.5
    ).map { case (vertex, received) => vertex -> (0.15 + 0.85 * received) }
    assert(first == expected)
    val second = RanksOnDriver(triangle.iterator, 2)
    // Nothing leads to vertex 4, and nothing leads on from vertex 5.
    assert(second.keySet == Set(1L, 2L, 3L, 5L))
    assert(math.abs(second(1) - (0.15 + 0.85 * (first(2) / 2 + first(3)))) < 1e-12)
  }

  test("RankLoop: a rank that is off, is no number or was lost is found") {
    val right = RanksOnDriver(triangle.iterator, 3).toMap
    def check(found: Map[Long, Double]): Unit = RankLoop.check(triangle.iterator, 3, found)
    check(right)
    check(right + (1L -> right(1) * (1 + 1e-12)))
    assertWrong("relative error", "at most")(check(right + (1L -> right(1) * 1.001)))
    assertWrong("relative error", "NaN")(check(right + (1L -> Double.NaN)))
    assertWrong("ranked vertices", "3 records")(check(right - 2L))
    assertWrong("ranked vertices", "5 records")(check(right + (4L -> 0.15)))
  }

  test("Notebook: what a question finds is compared with the driver's answer, version by version") {
    val options = NotebookOptions(datasets = 2, rows = 50)
    val right =
      for (dataset <- 0 to 1; version <- 0 to 1; part <- Seq(0, 7))
        yield Notebook.Finding(
          dataset,
          version,
          part,
          options.data.onDriver(dataset, version)(part)
        )
    Notebook.check(options, right)
    for (finding <- right) {
      val wrong = finding.copy(found = finding.found + 1)
      assertWrong(s"part ${finding.part} of data set ${finding.dataset}.${finding.version}")(
        Notebook.check(options, right.filterNot(_ == finding) :+ wrong)
      )
    }
  }
}
