package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

class RereadsSuite extends AnyFunSuite {

  private def rereads = new Rereads(2)

  test("what was computed often enough, in parts or at once") {
    val rereads = this.rereads
    rereads.computed(1, 1.0, 10)
    rereads.computed(1, 0.5, 5)
    assert(rereads.best(Seq(1)).isEmpty)
    rereads.computed(1, 0.5, 5)
    assert(rereads.best(Seq(1)).contains(1))
    assert(rereads.best(Seq(2)).isEmpty)
    rereads.forget(1)
    assert(rereads.best(Seq(1)).isEmpty)
  }

  test("the one that saves most, and the last of those that are computed together") {
    val rereads = this.rereads
    for (_ <- 1 to 3) {
      Seq(1, 2).foreach(rereads.computed(_, 1.0, 100))
      Seq(7, 8).foreach(rereads.computed(_, 1.0, 30))
    }
    (1 to 20).foreach(_ => rereads.computed(9, 1.0, 20))
    assert(rereads.best(Seq(7, 2, 9, 1, 8)).contains(2))
    assert(rereads.best(Seq(7, 8, 9)).contains(8))
  }

  test("what is computed of nothing that is read isn't worth it") {
    val rereads = this.rereads
    (1 to 5).foreach(_ => rereads.computed(1, 1.0, 0))
    assert(rereads.best(Seq(1)).isEmpty)
  }

  test("what is remembered has a bound, and it is the latest") {
    val rereads = this.rereads
    for (_ <- 1 to 2; rdd <- 1 to 20000) rereads.computed(rdd, 2.0, 10)
    assert(rereads.best(Seq(1)).isEmpty && rereads.best(Seq(20000)).contains(20000))
  }
}
