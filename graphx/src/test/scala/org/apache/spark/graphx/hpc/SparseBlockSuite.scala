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

  /** What each vertex gets when each sends a value along all of its edges. */
  private def product(of: Seq[SparseBlock], value: VertexId => Double): Map[VertexId, Double] = {
    val sent = for {
      (block, from) <- of.zipWithIndex
      (to, slice) <- block.push(block.vertices.map(value))
    } yield (to, from -> slice)
    of.zipWithIndex.flatMap { case (block, to) =>
      block.vertices.zip(block.gather(sent.collect { case (`to`, slice) => slice }.reverseIterator))
    }.toMap
  }

  private val ids =
    Gen.oneOf(Gen.chooseNum(-5L, 30L), Gen.oneOf(Long.MinValue, Long.MaxValue, 1L << 40))
  private val graphs = for {
    edges <- Gen.listOf(Gen.zip(ids, ids))
    alone <- Gen.listOf(ids)
  } yield (edges, edges.flatMap { case (from, to) => Seq(from, to) }.toSet ++ alone)

  test("a product of any graph, in any number of blocks, is what its edges say") {
    forAll(graphs, Gen.chooseNum(1, 5), minSuccessful(200)) { (graph, number) =>
      val (edges, vertices) = graph
      def value(vertex: VertexId): Double = (vertex % 13).toDouble // whole numbers: sums are exact
      val expected =
        vertices.map(v => v -> edges.collect { case (from, `v`) => value(from) }.sum).toMap
      assert(product(blocks(vertices, edges, number), value) == expected)
    }
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
    for (edge <- Seq((1L, 99L), (99L, 1L)))
      assert(intercept[EdgeWithoutVertex](blocks(Set(1L), Seq(edge), 2)).getMessage.endsWith(" 99"))
  }
}
