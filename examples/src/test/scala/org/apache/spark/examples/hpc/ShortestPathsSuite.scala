package org.apache.spark.examples.hpc

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ShortestPathsSuite
    extends AnyFunSuite
    with Workloads
    with TemporaryFiles
    with ScalaCheckPropertyChecks {

  test("of an R-MAT graph, a grid and a file") {
    assertRuns(ShortestPaths, "shortestpaths", "edges=256")("--scale 6 --edge-factor 4")
    assertRuns(ShortestPaths, "shortestpaths", "vertices=36", "distances=36")("--grid 6")
    val graph = file("1 2\n2 3\n5 4\n6 6\n")
    assertRuns(ShortestPaths, "shortestpaths", "vertices=6", "distances=3")(s"--input $graph")
  }

  test("wrong options are refused") {
    assertRefused(ShortestPaths, 2, "give one of them")("--scale 3 --grid 4")
    assertRefused(ShortestPaths, 2, "--storage-level DISK")("--grid 3 --storage-level DISK")
  }

  test("Dijkstra's distances are those that no edge makes shorter") {
    val vertex = Gen.chooseNum(0L, 9L)
    forAll(Gen.nonEmptyListOf(Gen.zip(vertex, vertex))) { edges: List[(Long, Long)] =>
      val paths = new Dijkstra
      edges.foreach { case (one, other) => paths.join(one, other) }
      val vertices = edges.flatMap { case (one, other) => Seq(one, other) }.distinct
      val start = vertices.map(vertex => vertex -> Dijkstra.Unreached).toMap + (vertices.min -> 0L)
      val both = edges ++ edges.map(_.swap)
      def relaxed(distances: Map[Long, Long]): Map[Long, Long] = {
        val next = both.foldLeft(distances) { case (soFar, (from, to)) =>
          soFar + (to -> math.min(soFar(to), soFar(from) + Dijkstra.length(from, to)))
        }
        if (next == distances) next else relaxed(next)
      }
      assert(paths.distances.toMap == relaxed(start))
    }
  }

  test("an edge is as long one way as the other") {
    forAll { (one: Long, other: Long) =>
      val length = Dijkstra.length(one, other)
      assert(length >= 1 && length <= 16)
      assert(length == Dijkstra.length(other, one))
    }
  }
}
