package org.sparkhpc.report

import org.scalatest.funsuite.AnyFunSuite

/** The lines on a stage that runs. */
class ProgressSuite extends AnyFunSuite {

  test("a line says what tasks did since the line before, those that run and those that ended") {
    val stage = new Progress("4", "map at Ranks.scala:12", tasks = 10, submitted = 1000)
    stage.runs(1, Map("input/open" -> 3, "task/compute" -> 1))
    assert(stage.line(now = 30000, pauseMillis = 30000).isEmpty)
    val first =
      "Stage 4 (map at Ranks.scala:12) has run 30 s: 0 of 10 tasks are done. In the last 30 s, its " +
        "tasks did: file open 75%, compute 25%"
    assert(stage.line(now = 31000, pauseMillis = 30000) == Some(first))
    assert(stage.line(now = 32000, pauseMillis = 30000).isEmpty)

    stage.taskEnded(1, Map("input/open" -> 3, "task/compute" -> 5), isDone = true)
    stage.runs(2, Map("task/wait" -> 12))
    stage.taskEnded(3, Map.empty, isDone = false)
    val second =
      "Stage 4 (map at Ranks.scala:12) has run 60 s: 1 of 10 tasks are done. In the last 30 s, its " +
        "tasks did: other wait 75%, compute 25%"
    assert(stage.line(now = 61000, pauseMillis = 30000) == Some(second))
  }

  test("there is no line on a stage whose tasks were not seen") {
    val stage = new Progress("4", "map", tasks = 10, submitted = 0)
    stage.taskEnded(1, Map.empty, isDone = true)
    assert(stage.line(now = 100000, pauseMillis = 30000).isEmpty)
  }
}
