package org.apache.spark.shuffle.hpc

import org.scalatest.funsuite.AnyFunSuite

class HpcShuffleManagerSuite extends AnyFunSuite {

  test("on a Spark that it wasn't built for there is one error, with both and the remedy") {
    HpcShuffleManager.requireRelease("3.5.7", "3.5.7")
    val refused =
      intercept[IllegalArgumentException](HpcShuffleManager.requireRelease("3.5.5", "3.5.7"))
    for (part <- Seq("spark.shuffle.manager is ", "for Spark 3.5.7", "is Spark 3.5.5: leave"))
      assert(refused.getMessage.contains(part))
  }
}
