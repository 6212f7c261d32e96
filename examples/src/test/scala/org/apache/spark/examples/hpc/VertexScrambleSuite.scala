package org.apache.spark.examples.hpc

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class VertexScrambleSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  test("one to one on all numbers of any small width") {
    forAll(Gen.chooseNum(1, 14), Arbitrary.arbitrary[Long]) { (bits: Int, key: Long) =>
      val scramble = new VertexScramble(bits, key)
      val images = (0L until (1L << bits)).map(scramble(_))
      assert(images.forall(image => image >= 0 && image < (1L << bits)))
      assert(images.distinct.size == images.size)
    }
  }

  test("stays within its bits and apart from its neighbour in any width") {
    forAll(Gen.chooseNum(1, 62), Arbitrary.arbitrary[Long], Gen.chooseNum(0L, Long.MaxValue)) {
      (bits: Int, key: Long, number: Long) =>
        val mask = (1L << bits) - 1
        val scramble = new VertexScramble(bits, key)
        val image = scramble(number & mask)
        assert((image & ~mask) == 0)
        assert(scramble((number + 1) & mask) != image)
    }
  }

  test("low numbers don't stay low") {
    val scramble = new VertexScramble(20, key = 1)
    val low = (0L until 1024L).count(number => scramble(number) < (1L << 19))
    assert(low > 400 && low < 624)
  }
}
