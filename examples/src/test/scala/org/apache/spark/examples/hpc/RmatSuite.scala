package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

class RmatSuite extends AnyFunSuite with LocalMaster with TemporaryFiles {

  private def graph(partitions: Int): String = {
    val output = fresh("rmat")
    val ran = run(
      Rmat,
      "--scale",
      6,
      "--edge-factor",
      4,
      "--seed",
      9,
      "--partitions",
      partitions,
      "--output",
      output
    )
    assert(ran.code == 0, ran)
    assert(ran.out.startsWith("rmat: vertices=64 edges=256 seed=9 "))
    written(output)
  }

  test("the same bytes whatever the number of partitions") {
    val one = graph(1)
    assert(one.linesIterator.count(!_.startsWith("#")) == 256)
    assert(one.startsWith("# R-MAT a=0.57 b=0.19 c=0.19 d=0.05 scale=6 edgeFactor=4 seed=9 "))
    assert(graph(3) == one)
    assert(graph(300) == one)
  }

  test("PageRank reads what it wrote") {
    val output = fresh("rmat")
    assert(run(Rmat, "--scale", 5, "--output", output).code == 0)
    assert(run(PageRank, output, "--iterations", 1).out.contains(" edges=512 "))
  }

  test("wrong options are refused") {
    val output = fresh("rmat")
    assertRefuses(Rmat, 2, "--scale", "--output")()
    assertRefuses(Rmat, 2, "--scale 0", "1 to 42")("--scale", 0, "--output", output)
    assertRefuses(Rmat, 2, "--edge-factor 0")("--scale", 1, "--edge-factor", 0, "--output", output)
    assertRefuses(Rmat, 2, "--partitions -1")("--scale", 1, "--partitions", -1, "--output", output)
    assertRefuses(Rmat, 2, "seed")("--scale", 1, "--seed", "x", "--output", output)
    assertRefuses(Rmat, 2, "too many edges")(
      "--scale",
      42,
      "--edge-factor",
      Int.MaxValue,
      "--output",
      output
    )
  }

  test("output that exists is refused") {
    val there = file("something")
    assertRefuses(Rmat, 1, "--output", "exists already")("--scale", 1, "--output", there)
  }
}
