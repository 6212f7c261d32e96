package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

class StepsSuite extends AnyFunSuite {
  import Steps._

  private def block(rdd: Int, requests: Int, shape: Int = 7): Known[Int] = {
    val known = new Known(rdd)
    known.order = 1
    known.requests = requests
    known.shapes(known.shapes.length - 1) = shape
    known
  }

  /** RDDs `from` to `to` end after so many requests of a block. */
  private def end(steps: Steps, from: Int, to: Int, requests: Int, blocks: Int = 1): Unit =
    for (rdd <- from to to) {
      for (_ <- 1 to blocks) steps.ended(block(rdd, requests), rdd, 5)
      steps.forget(rdd, wasDead = rdd > from)
    }

  private def chance(steps: Steps, rdd: Int, requests: Int): Double =
    steps.next(block(rdd, requests), rdd) match {
      case Some(Ends(_, chance)) => chance
      case other => fail(s"no end is expected, but $other")
    }

  test("a block is requested again when those of its kind were, after as many requests") {
    val steps = new Steps
    assert(steps.next(block(1, 1), 1).isEmpty)
    steps.requestedAgain(block(1, 1), 1, gap = 40)
    steps.requestedAgain(block(1, 2), 1, gap = 8)
    assert(steps.next(block(2, 1), 2).contains(Again(40)))
    assert(steps.next(block(2, 2), 2).contains(Again(8)))
    assert(steps.next(block(2, 1, shape = 8), 2).isEmpty)
  }

  test("a block of the same RDD says more than one of the same kind") {
    val steps = new Steps
    steps.requestedAgain(block(1, 1), 1, gap = 40)
    steps.requestedAgain(block(2, 1), 2, gap = 10)
    assert(steps.next(block(2, 1), 2).contains(Again(10)))
    assert(steps.next(block(2, 2), 2).contains(Again(10)), "what it did before, for want of more")
    steps.forget(2, wasDead = false)
    assert(steps.next(block(2, 1), 2).contains(Again(40 + (10 - 40) / 4.0)))
  }

  test("an end is the more likely the more RDDs ended so, however many blocks they had") {
    val one, hundred = new Steps
    end(one, 1, 8, requests = 3)
    end(hundred, 1, 8, requests = 3, blocks = 100)
    assert(chance(one, 9, 3) == chance(hundred, 9, 3))
    assert(chance(one, 9, 3) < 0.02)
    val few = new Steps
    end(few, 1, 1, requests = 3)
    assert(chance(few, 9, 3) == 0.25)
  }

  test("other kinds of which each RDD ended as expected make an end likelier") {
    val alone, among = new Steps
    end(alone, 1, 1, requests = 3)
    for (rdd <- 100 to 120) among.forget(rdd, wasDead = true)
    end(among, 1, 1, requests = 3)
    assert(chance(among, 9, 3) < chance(alone, 9, 3) / 5)
  }

  test("a request after an expected end makes the next end less likely") {
    val steps = new Steps
    end(steps, 1, 8, requests = 3)
    val before = chance(steps, 9, 3)
    val wrong = block(9, 3)
    wrong.isDead = true
    steps.requestedAgain(wrong, 9, gap = 30)
    assert(steps.next(block(10, 3), 10).contains(Again(30)))
    end(steps, 10, 17, requests = 3)
    assert(chance(steps, 18, 3) > 3 * before)
  }

  test("what was never computed teaches nothing of its kind, and what is remembered has a bound") {
    val steps = new Steps
    val foreign = block(1, 3)
    foreign.order = 0
    steps.ended(foreign, 1, 5)
    assert(steps.next(block(2, 3), 2).isEmpty)
    for (shape <- 1 to 5000) steps.ended(block(shape, 2, shape), shape, 5)
    assert(steps.next(block(1, 2, 1), 1).isEmpty)
    assert(steps.next(block(1, 2, 5000), 1).nonEmpty)
  }
}
