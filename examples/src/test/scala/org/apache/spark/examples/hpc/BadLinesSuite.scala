package org.apache.spark.examples.hpc

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class BadLinesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val line = for {
    file <- Gen.oneOf("a", "b")
    offset <- Gen.chooseNum(0L, 1000L)
  } yield BadLine(file, offset, s"$file$offset")

  test("keeps the first by file and offset, however the lines were spread over tasks") {
    forAll(Gen.listOf(Gen.listOf(line))) { (tasks: List[List[BadLine]]) =>
      val all = new BadLines(keep = 3)
      tasks.foreach { lines =>
        val task = all.copyAndReset().asInstanceOf[BadLines]
        lines.foreach(task.add)
        all.merge(task)
      }
      val expected = tasks.flatten.distinct.sortBy(bad => (bad.file, bad.offset)).take(3)
      assert(all.value == expected)
      assert(all.count == tasks.flatten.size)
      assert(all.isZero == tasks.flatten.isEmpty)
    }
  }
}
