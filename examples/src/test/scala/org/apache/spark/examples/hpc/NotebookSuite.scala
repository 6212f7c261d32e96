package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

class NotebookSuite extends AnyFunSuite with Workloads {
  import NotebookScript._

  test("a session with questions, forgotten results and data sets loaded anew") {
    assertRuns(Notebook, "notebook", "datasets=3", "cells=40", "answers=39")(
      "--datasets 3 --rows 100 --cells 40 --partitions 3"
    )
  }

  test("wrong options are refused") {
    assertRefused(Notebook, 2, "--rows 9")("--rows 9")
    assertRefused(Notebook, 2, "--cells 0")("--cells 0")
  }

  test("a script is the same for the same seed and has all kinds of cells") {
    val script = cells(datasets = 5, count = 300, seed = 7)
    assert(script == cells(datasets = 5, count = 300, seed = 7))
    assert(script != cells(datasets = 5, count = 300, seed = 8))
    assert(script.count(_.isInstanceOf[Reload]) == 10)
    assert(script.count(_.isInstanceOf[KeepPart]) == 20)
  }

  test("the first data sets are come back to more often than the last") {
    val asked = cells(datasets = 5, count = 3000, seed = 1).collect { case Ask(d, _) => d }
    val counts = (0 until 5).map(dataset => asked.count(_ == dataset))
    assert(counts == counts.sorted.reverse)
    assert(counts.last > 100)
  }

  test("rows of a version are others than the next one's, and sums have each key once") {
    val data = new NotebookData(rows = 40, seed = 1)
    assert(data.row(0, 0, 3) != data.row(0, 1, 3))
    assert(data.onDriver(0, 0).map(_.records).sum == 40)
    val keys = (0L until data.rowsToRead(1)).map(data.row(1, 0, _)._1).distinct
    assert(data.onDriver(1, 0).map(_.records).sum == keys.size)
  }
}
