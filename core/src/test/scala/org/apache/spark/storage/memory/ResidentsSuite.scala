package org.apache.spark.storage.memory

import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.{BlockId, RDDBlockId}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ResidentsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val steps = Gen.listOf(Gen.zip(Gen.oneOf("add", "use", "remove"), Gen.choose(0, 6)))

  private def resident(index: Int) = Resident(index.toLong, MemoryMode.ON_HEAP, asValues = true)

  test("the order is that of the last use, whatever is added, used and removed") {
    forAll(steps) { steps =>
      val residents = new Residents
      val expected = steps.foldLeft(Seq.empty[BlockId]) { case (order, (what, index)) =>
        val id = RDDBlockId(1, index)
        what match {
          case "add" =>
            residents.add(id, resident(index))
            order.filter(_ != id) :+ id
          case "use" =>
            residents.use(id)
            if (order.contains(id)) order.filter(_ != id) :+ id else order
          case "remove" =>
            residents.remove(id)
            order.filter(_ != id)
        }
      }
      assert(residents.oldestFirst().map(_._1) == expected)
      // Looking isn't using.
      assert(residents.oldestFirst().map(_._1) == expected)
    }
  }

  test("a walk ends when told so") {
    val residents = new Residents
    (0 until 5).foreach(index => residents.add(RDDBlockId(1, index), resident(index)))
    var seen = Seq.empty[Long]
    residents.walk { (_, resident) =>
      seen :+= resident.bytes
      seen.size < 3
    }
    assert(seen == Seq(0, 1, 2))
  }
}
