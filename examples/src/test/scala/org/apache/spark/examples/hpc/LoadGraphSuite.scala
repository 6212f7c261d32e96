package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

class LoadGraphSuite extends AnyFunSuite with Workloads with TemporaryFiles {

  test("each loading is a line with its cost") {
    val ran = run(LoadGraph, "--input", file("1 2\n2 3\n# none\n5 2\n"), "--loads", 3)
    assert(ran.code == 0, ran)
    val lines = ran.outLines.filter(_.startsWith("iteration="))
    assert(lines.map(_.takeWhile(_ != ' ')) == Seq("iteration=1", "iteration=2", "iteration=3"))
    assert(lines.forall(_.matches(".* cpuSeconds=\\d+\\.\\d+.*")), ran)
    assert(ran.outLines.last.matches("load: edges=3 vertices=4 seconds=\\S+ check=ok"), ran)
  }

  test("a line that is no edge is refused") {
    assertRefused(LoadGraph, 1, "at byte 4", "'x'")(s"--input ${file("1 2\nx\n")}")
  }
}
