package org.sparkhpc.report

import org.scalatest.funsuite.AnyFunSuite

class LustreTableSuite extends AnyFunSuite {

  test("a node's calls are counted once, however many executors it has") {
    val run = new Run
    for ((executor, host) <- Seq("1" -> "a", "2" -> "a", "3" -> "b"))
      run.executorAdded(executor, host, 4, 0)
    run.figures("1", 1, Map("lustre.open" -> 100.0, "lustre.open.sum" -> 35000.0))
    run.figures("2", 1, Map("lustre.open" -> 90.0, "lustre.open.sum" -> 30000.0))
    run.figures(
      "3",
      1,
      Map("lustre.read_bytes" -> 2.0, "lustre.read_bytes.sum" -> 4e6, "lustre.getattr" -> 7.0)
    )
    assert(
      LustreTable.of(run).rows == Seq(
        Seq("open", "100", "0.35 ms"),
        Seq("getattr", "7", ""),
        Seq("read_bytes", "2", "2.0 MB")
      )
    )
    assert(LustreTable.of(new Run).rows.isEmpty)
  }
}
