package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

class KindsSuite extends AnyFunSuite {

  private def block(rdd: Int, requests: Int, shape: Int = 7): Known[Int] = {
    val known = new Known(rdd)
    known.order = 1
    known.requests = requests
    known.shapes(known.shapes.length - 1) = shape
    known
  }

  test("blocks are asked for as often as those before them that look alike") {
    val kinds = new Kinds
    assert(kinds.expected(block(1, 0)).isEmpty)
    kinds.ended(block(1, 3), 1)
    assert(kinds.expected(block(2, 1)).contains(2.0))
    assert(kinds.expected(block(2, 5)).contains(0.0))
    assert(kinds.expected(block(2, 1, shape = 8)).isEmpty)
    kinds.ended(block(2, 5), 2)
    assert(kinds.expected(block(3, 1)).contains(4.0))
  }

  test("an end is the more likely the more RDDs ended so, however many blocks they had") {
    val kinds = new Kinds
    assert(kinds.chanceOfMore(block(1, 3)).isEmpty)
    for (rdd <- 1 to 8; _ <- 1 to 100) kinds.ended(block(rdd, 3), rdd)
    assert(kinds.chanceOfMore(block(9, 2)).isEmpty)
    val likely = kinds.chanceOfMore(block(9, 3)).get
    assert(likely > 0.05 && likely < 0.15)
    kinds.ended(block(9, 4), 9)
    assert(kinds.chanceOfMore(block(10, 3)).isEmpty)
    assert(kinds.chanceOfMore(block(10, 4)).contains(0.5))
  }

  test("what was never computed teaches nothing, and what is remembered has a bound") {
    val kinds = new Kinds
    val foreign = block(1, 3)
    foreign.order = 0
    kinds.ended(foreign, 1)
    assert(kinds.expected(block(2, 1)).isEmpty)
    for (shape <- 1 to 5000) kinds.ended(block(shape, 2, shape), shape)
    assert(kinds.expected(block(1, 1, 1)).isEmpty && kinds.expected(block(1, 1, 5000)).nonEmpty)
  }
}
