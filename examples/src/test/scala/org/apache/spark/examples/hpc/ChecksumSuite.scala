package org.apache.spark.examples.hpc

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ChecksumSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val records = Gen.nonEmptyListOf(Arbitrary.arbitrary[Long])

  private def of(hashes: Seq[Long]): Checksum = Checksum.of(hashes.iterator)

  test("neither order nor division into parts matters") {
    forAll(records, Gen.chooseNum(0, 100)) { (hashes: List[Long], at: Int) =>
      val (one, other) = hashes.splitAt(at % hashes.size)
      assert(of(other) ++ of(one) == of(hashes))
      assert(of(hashes.reverse) == of(hashes))
    }
  }

  test("a lost, a doubled and a changed record show, also twice") {
    forAll(records) { hashes: List[Long] =>
      assert(of(hashes.tail) != of(hashes))
      assert(of(hashes.head :: hashes) != of(hashes))
      assert(of(hashes.head :: hashes.head :: hashes) != of(hashes))
      assert(of((hashes.head + 1) :: hashes.tail) != of(hashes))
    }
  }

  test("a record in another's place shows though the number is right") {
    assert(of(Seq(1L, 1L, 2L)).sum != of(Seq(1L, 2L, 2L)).sum)
    assert(Checksum.hash(1L, 2L) != Checksum.hash(2L, 1L))
    assert(Checksum.hash("ab") != Checksum.hash("ba"))
  }
}
