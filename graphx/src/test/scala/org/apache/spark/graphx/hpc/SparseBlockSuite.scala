package org.apache.spark.graphx.hpc

import org.apache.spark.HashPartitioner
import org.apache.spark.graphx.{Edge, VertexId}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class SparseBlockSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private type Pair = (VertexId, VertexId)

  /** The blocks of a graph as the two shuffles make them, without Spark. */
  private def blocks(vertices: Set[VertexId], edges: Seq[Pair], number: Int): Seq[SparseBlock] = {
    val groups = new VertexGroups(new HashPartitioner(7), number)
    val runs = edges.grouped(5).flatMap(some =>
      EdgeRuns.of(some.iterator.map { case (from, to) => Edge(from, to, 1) }, groups)
    ).toSeq
    val rows = (0 until number).map { block =>
      val own = vertices.filter(groups.blockOf(_) == block).toArray
      BlockRows.of(own, runs.filter(_._1 == block).map(_._2), groups)
    }
    val targets = for {
      (of, from) <- rows.zipWithIndex; (to, ids) <- of.targets
    } yield (to, from -> ids)
    rows.zipWithIndex.map { case (of, to) =>
      of.routed(number, targets.collect { case (`to`, sender) => sender }.iterator)
    }
  }

  /** What each vertex gets when each sends its values along all of its edges. */
  private def product(of: Seq[SparseBlock], width: Int, merge: Merge)(
      value: (VertexId, Int) => Double
  ): Map[VertexId, Seq[Double]] = {
    val sent = for {
      (block, from) <- of.zipWithIndex
      (to, slice) <- block.push(
        from,
        block.vertices.flatMap(id => Seq.tabulate(width)(value(id, _))),
        width,
        merge
      )
    } yield (to, slice)
    of.zipWithIndex.flatMap { case (block, to) =>
      val got =
        block.gather(sent.collect { case (`to`, slice) => slice }.reverseIterator, width, merge)
      block.vertices.zip(got.grouped(width).map(_.toSeq).toSeq)
    }.toMap
  }

  private val ids =
    Gen.oneOf(Gen.chooseNum(-5L, 30L), Gen.oneOf(Long.MinValue, Long.MaxValue, 1L << 40))
  private val graphs = for {
    edges <- Gen.listOf(Gen.zip(ids, ids))
    alone <- Gen.listOf(ids)
  } yield (edges, edges.flatMap { case (from, to) => Seq(from, to) }.toSet ++ alone)

  test("a product of any graph, in any number of blocks, is what its edges say") {
    val merges = Gen.oneOf(Merge.Sum, Merge.Least)
    forAll(graphs, Gen.chooseNum(1, 5), Gen.chooseNum(1, 3), merges, minSuccessful(200)) {
      (graph, number, width, merge) =>
        val (edges, vertices) = graph
        // Whole numbers, so sums are exact.
        def value(vertex: VertexId, i: Int): Double = (vertex % (13 - 4 * i)).toDouble
        val expected = vertices.map { v =>
          v -> Seq.tabulate(width)(i =>
            edges.collect { case (from, `v`) => value(from, i) }.foldLeft(merge.nothing)(merge(
              _,
              _
            ))
          )
        }.toMap
        assert(product(blocks(vertices, edges, number), width, merge)(value) == expected)
    }
  }

  test("a slice adds all of its values, in the smaller of two forms") {
    forAll(Gen.listOf(Gen.oneOf(0.0, 0.0, 0.0, 2.5)), Gen.chooseNum(0, 9)) { (values, start) =>
      val sums = Array.fill(start)(7.0) ++ values :+ 7.0
      val slice = Slice.of(3, sums, start, start + values.size, 0.0)
      val route = values.indices.reverse.toArray
      val got = Array.fill(values.size)(1.0)
      slice.mergeInto(got, route, 1, Merge.Sum)
      assert(got.toSeq == values.reverse.map(_ + 1.0))
      assert(slice.bytes == math.min(8 * values.size, 12 * values.count(_ != 0.0)))
    }
  }

  test("weights are those of the edges, one for each source") {
    val groups = new VertexGroups(new HashPartitioner(1), 1)
    def block(edges: Edge[Double]*): SparseBlock = {
      val runs = edges.flatMap(edge => EdgeRuns.weighted(Iterator(edge), groups)).map(_._2)
      val rows = BlockRows.of(Array(1L, 2L), runs, groups)
      rows.routed(1, rows.targets.map { case (_, ids) => 0 -> ids })
    }
    val weighted = block(Edge(1L, 2L, 0.25), Edge(2L, 1L, 4.0), Edge(1L, 1L, 0.25))
    assert((weighted.weight(0), weighted.weight(1)) == ((0.25, 4.0)))
    val refusal = intercept[Unsuitable](block(Edge(1L, 2L, 0.25), Edge(1L, 1L, 0.5)))
    assert(
      Unsuitable.reason(refusal).contains("the edges out of vertex 1 have different weights")
    )
  }

  test("a block has the sizes that its comment promises, and the same rows in each run") {
    forAll(graphs, Gen.chooseNum(1, 5)) { (graph, number) =>
      val (edges, vertices) = graph
      val of = blocks(vertices, edges, number)
      assert(of.map(_.columns.length).sum == edges.size && of.map(_.size).sum == vertices.size)
      val pairs = of.map(block => block.slices.last)
      assert(pairs.sum == of.map(_.routes.map(_.length).sum).sum && pairs.sum <= edges.size)
      val again = blocks(vertices, edges.reverse, number)
      for ((one, other) <- of.zip(again)) {
        assert(one.vertices.sameElements(other.vertices) && one.rows.sameElements(other.rows))
        assert(one.slices.sameElements(other.slices))
      }
    }
  }

  test("an edge whose source or destination is no vertex is refused, with its id") {
    for (edge <- Seq((1L, 99L), (99L, 1L))) {
      val refusal = intercept[Unsuitable](blocks(Set(1L), Seq(edge), 2))
      assert(Unsuitable.reason(refusal).contains("it has an edge, but no vertex, for the id 99"))
    }
  }
}
