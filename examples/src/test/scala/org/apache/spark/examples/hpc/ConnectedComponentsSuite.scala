package org.apache.spark.examples.hpc

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ConnectedComponentsSuite
    extends AnyFunSuite
    with Workloads
    with TemporaryFiles
    with ScalaCheckPropertyChecks {

  test("of an R-MAT graph, a grid and a file") {
    assertRuns(ConnectedComponents, "components", "edges=256")("--scale 6 --edge-factor 4")
    assertRuns(ConnectedComponents, "components", "vertices=36", "edges=60", "components=1")(
      "--grid 6"
    )
    val graph = file("1 2\n2 3\n5 4\n6 6\n")
    assertRuns(ConnectedComponents, "components", "vertices=6", "components=3")(s"--input $graph")
  }

  test("a graph that is too large to check is not called checked") {
    val ran = run(ConnectedComponents, "--grid", 3, "--check-edges", 11)
    assert(ran.code == 0, ran)
    assert(ran.outLines.last.endsWith(" check=skipped"), ran)
  }

  test("wrong options are refused") {
    assertRefused(ConnectedComponents, 2, "--scale, --grid, --input")("")
    assertRefused(ConnectedComponents, 2, "give one of them")("--scale 3 --grid 4")
    assertRefused(ConnectedComponents, 2, "--grid 1")("--grid 1")
    assertRefused(ConnectedComponents, 1, "at byte 4", "'x'")(s"--input ${file("1 2\nx\n")}")
    assertRefused(ConnectedComponents, 1, "no edges")(s"--input ${file("#\n")}")
  }

  test("union-find knows each vertex's component by its least vertex") {
    val vertex = Gen.chooseNum(0L, 15L)
    forAll(Gen.listOf(Gen.zip(vertex, vertex))) { edges: List[(Long, Long)] =>
      val sets = new UnionFind
      edges.foreach { case (source, target) => sets.join(source, target) }
      def reach(from: Set[Long]): Set[Long] = {
        val next =
          from ++ edges.collect { case (a, b) if from(a) => b } ++
            edges.collect { case (a, b) if from(b) => a }
        if (next == from) from else reach(next)
      }
      val vertices = edges.flatMap { case (source, target) => Seq(source, target) }.toSet
      assert(sets.components.toMap == vertices.map(v => v -> reach(Set(v)).min).toMap)
    }
  }
}
