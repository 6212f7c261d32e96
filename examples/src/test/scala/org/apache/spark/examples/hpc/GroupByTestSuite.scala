package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

class GroupByTestSuite extends AnyFunSuite with Workloads {

  for (api <- Seq("rdd", "sql"))
    test(s"groups all pairs, as $api") {
      assertRuns(GroupByTest, "groupby", "pairs=120", "keys=17", "bytes=1200", s"api=$api")(
        s"--api $api --maps 3 --reduces 5 --pairs-per-map 40 --keys 17 --key-bytes 4 --value-bytes 6"
      )
    }

  test("wrong options are refused") {
    assertRefused(GroupByTest, 2, "--maps 0", "1 or more")("--maps 0")
    assertRefused(GroupByTest, 2, "--api dataset", "rdd, sql")("--api dataset")
    assertRefused(GroupByTest, 2, "--keys 33", "1 bytes there are 32")("--keys 33 --key-bytes 1")
    assertRefused(GroupByTest, 2, "--pairs-per-map", "too many")(
      s"--pairs-per-map ${Long.MaxValue}"
    )
  }
}
