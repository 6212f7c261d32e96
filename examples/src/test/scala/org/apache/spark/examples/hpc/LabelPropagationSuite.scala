package org.apache.spark.examples.hpc

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class LabelPropagationSuite
    extends AnyFunSuite
    with Workloads
    with ScalaCheckPropertyChecks {

  test("the planted communities are found, after one step and after several") {
    for (iterations <- Seq(1, 3))
      assertRuns(LabelPropagation, "labelpropagation", "vertices=35", "edges=130")(
        s"--communities 5 --members 6 --iterations $iterations --partitions 3"
      )
  }

  test("wrong options are refused") {
    assertRefused(LabelPropagation, 2, "--members 1")("--members 1")
    assertRefused(LabelPropagation, 2, "--communities 0")("--communities 0")
  }

  test("no other label is heard as often as the leader's, neither at first nor at last") {
    forAll(Gen.chooseNum(1, 6), Gen.chooseNum(2, 6), Arbitrary.arbitrary[Long]) {
      (communities: Int, members: Int, seed: Long) =>
        val planted = new PlantedCommunities(communities, members, seed)
        val edges = (0L until planted.edges).map(planted.edge)
        val heard = (edges ++ edges.map(_.swap)).groupBy(_._1)
        assert(heard.keySet == (0L until planted.vertices).toSet)
        for ((vertex, its) <- heard; label <- Seq[Long => Long](identity, planted.leader)) {
          val votes = its.groupBy(edge => label(edge._2)).map { case (l, e) => l -> e.size }
          val leaders = votes(planted.leader(vertex))
          assert((votes - planted.leader(vertex)).values.forall(_ < leaders))
        }
    }
  }
}
