package org.sparkhpc.report

import org.scalatest.funsuite.AnyFunSuite

class PrometheusTextSuite extends AnyFunSuite {

  test(
    "each figure of the executors that are there is a sample with labels; samples of a metric are together"
  ) {
    val run = new Run
    run.id = "app-\"1\\"
    for (executor <- Seq("1", "2", "3")) run.executorAdded(executor, s"n$executor", 4, 0)
    run.figures("1", 1, Map("pool.hits" -> 1.0, "scratch.1.a.b.capacity" -> 10.0))
    run.figures(
      "1",
      2,
      Map("pool.hits" -> 2.0, "scratch.1.a.b.capacity" -> 10.0, "scratch.1.a.b.open.p99" -> 0.5)
    )
    run.figures("2", 2, Map("pool.hits" -> 3e9))
    run.figures("3", 2, Map("pool.hits" -> 5.0))
    run.executorRemoved("3", "killed", 3)
    def labels(executor: String): String =
      s"""application="app-\\"1\\\\",executor="$executor",host="n$executor""""
    val expected = Seq(
      s"spark_hpc_pool_hits{${labels("1")}} 2.0",
      s"spark_hpc_pool_hits{${labels("2")}} 3.0E9",
      s"""spark_hpc_scratch_capacity{${labels("1")},tier="1",label="a.b"} 10.0""",
      s"""spark_hpc_scratch_open_p99{${labels("1")},tier="1",label="a.b"} 0.5"""
    )
    assert(PrometheusText.of(run) == expected.mkString("", "\n", "\n"))
    assert(PrometheusText.of(new Run) == "\n")
  }
}
