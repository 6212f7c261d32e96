package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

class VainAttemptsSuite extends AnyFunSuite {
  private var time = Long.MaxValue - 50 // it overflows, as nanoTime may
  private var made = 0
  private val attempts = new VainAttempts[String](() => time)

  private def attempt(key: String, took: Long, isVain: Boolean): Boolean = {
    val before = made
    attempts.attempt(key) {
      made += 1
      time += took
      !isVain
    }
    made > before
  }

  test("a vain attempt is made again when ten times as long has passed, others at once") {
    assert(attempt("a", took = 10, isVain = true))
    assert(!attempt("a", took = 10, isVain = true) && attempt("b", took = 1, isVain = true))
    time += 98
    assert(!attempt("a", took = 10, isVain = true))
    time += 1
    assert(attempt("a", took = 1, isVain = false))
    assert(attempt("a", took = 1, isVain = false) && attempt("a", took = 1, isVain = true))
  }

  test("after a long one it is a second") {
    val second = 1000000000L
    assert(attempt("c", took = 60 * second, isVain = true))
    time += second - 1
    assert(!attempt("c", took = 1, isVain = false))
    time += 1
    assert(attempt("c", took = 1, isVain = false))
  }
}
