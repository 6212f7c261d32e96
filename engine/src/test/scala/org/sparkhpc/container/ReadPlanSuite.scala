package org.sparkhpc.container

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ReadPlanSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val extents = Gen.listOf(for {
    offset <- Gen.choose(0L, 20L << 20)
    length <- Gen.oneOf(Gen.choose(1L, 2000L), Gen.choose(1L, 3L << 20))
  } yield Extent(offset, length)).map(_.zipWithIndex)

  test("each extent is in one read, whole, and no read is larger than it has to be") {
    forAll(extents) { wanted =>
      val reads = ReadPlan.of(wanted)
      assert(reads.flatMap(_.parts).sortBy(_._2) == wanted)
      for (read <- reads) {
        assert(read.extent.offset == read.parts.map(_._1.offset).min)
        assert(read.extent.end == read.parts.map(_._1.end).max)
        assert(read.extent.length <= (1 << 20) || read.parts.size == 1)
      }
    }
  }

  test("blocks that stand near each other are read at once") {
    def reads(gap: Long): Int =
      ReadPlan.of((0L until 10).map(i => (Extent(i * (1000 + gap), 1000), i))).size
    assert(Seq(0L, 64L << 10, (64L << 10) + 1).map(reads) == Seq(1, 1, 10))
    assert(ReadPlan.of((0L until 16).map(i => (Extent(i << 17, 1 << 17), i))).size == 2)
  }
}
