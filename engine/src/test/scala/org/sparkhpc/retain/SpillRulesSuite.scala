package org.sparkhpc.retain

import java.util.concurrent.TimeUnit

import org.scalatest.funsuite.AnyFunSuite

class SpillRulesSuite extends AnyFunSuite {
  private var seconds = -5L
  private val rules = new SpillRules(() => TimeUnit.SECONDS.toNanos(seconds))

  test("an RDD is refused once, for good, until it is gone") {
    assert(rules.maySpill(1))
    assert(rules.refuse(1))
    assert(!rules.refuse(1))
    assert(!rules.maySpill(1) && rules.maySpill(2))
    seconds += 1000
    assert(!rules.maySpill(1))
    rules.forget(1)
    assert(rules.maySpill(1))
  }

  test("a pause holds for all RDDs and ends by itself; one that goes on is told once") {
    assert(rules.pause())
    assert(!rules.maySpill(2))
    seconds += SpillRules.PauseSeconds - 1
    assert(!rules.maySpill(2))
    assert(!rules.pause())
    seconds += SpillRules.PauseSeconds - 1
    assert(!rules.maySpill(2))
    seconds += 1
    assert(rules.maySpill(2))
    assert(rules.pause())
  }
}
