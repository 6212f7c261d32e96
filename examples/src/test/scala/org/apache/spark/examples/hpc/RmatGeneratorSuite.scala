package org.apache.spark.examples.hpc

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class RmatGeneratorSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val scales = Gen.chooseNum(1, RmatGenerator.MaxScale)
  private val seeds = Arbitrary.arbitrary[Long]
  private val indexes = Gen.chooseNum(0L, 1L << 46)

  test("an edge depends on scale, seed and its number only") {
    forAll(scales, seeds, indexes) { (scale: Int, seed: Long, index: Long) =>
      val one = new RmatGenerator(scale, seed)
      val other = new RmatGenerator(scale, seed)
      other.edge(index + 1)((_, _))
      assert(one.edge(index)((_, _)) == other.edge(index)((_, _)))
    }
  }

  test("both ends are vertices of the graph") {
    forAll(scales, seeds, indexes) { (scale: Int, seed: Long, index: Long) =>
      val (source, target) = new RmatGenerator(scale, seed).edge(index)((_, _))
      assert(source >= 0 && source < (1L << scale))
      assert(target >= 0 && target < (1L << scale))
    }
  }

  test("at every level the quarters have their shares") {
    val scale = 8
    val edges = 200000
    val generator = new RmatGenerator(scale, seed = 42)
    val counts = Array.ofDim[Int](scale, 4)
    for (index <- 0 until edges)
      generator.plainEdge(index.toLong) { (source, target) =>
        for (level <- 0 until scale) {
          val quarter = 2 * (source >> level & 1) + (target >> level & 1)
          counts(level)(quarter.toInt) += 1
        }
      }
    for (level <- 0 until scale; (share, quarter) <- Seq(0.57, 0.19, 0.19, 0.05).zipWithIndex) {
      val deviation = math.sqrt(edges * share * (1 - share))
      assert(math.abs(counts(level)(quarter) - edges * share) < 5 * deviation, (level, quarter))
    }
  }

  test("another seed is another graph") {
    def graph(seed: Long): Seq[(Long, Long)] = {
      val generator = new RmatGenerator(20, seed)
      (0L until 100L).map(index => generator.edge(index)((_, _)))
    }
    assert(graph(1) != graph(2))
    assert(graph(1).intersect(graph(2)).size < 5)
  }

  test("a scale that no vertex id could hold is refused") {
    for (scale <- Seq(-1, 0, RmatGenerator.MaxScale + 1))
      intercept[IllegalArgumentException](new RmatGenerator(scale, 1))
  }
}
