package org.sparkhpc.retain

import org.scalatest.funsuite.AnyFunSuite

class LeastReferenceCountSuite extends AnyFunSuite {
  import Blocks._

  test("fewest references first, then the order of use, across RDDs") {
    val policy = new LeastReferenceCount[Block](Names)
    val blocks = for (partition <- 0 to 1; rdd <- Seq(-1, 1, 2, 3)) yield Block(rdd, partition)
    blocks.foreach(policy.stored(_, 1))
    policy.used(Block(1, 0))
    policy.referenced(Map(2 -> 2))
    assert(
      shown(policy) == Seq(
        Block(3, 0),
        Block(1, 1),
        Block(3, 1),
        Block(1, 0), // nobody will read them
        Block(-1, 0),
        Block(-1, 1), // such as broadcasts
        Block(2, 0),
        Block(2, 1)
      )
    )
  }
}
