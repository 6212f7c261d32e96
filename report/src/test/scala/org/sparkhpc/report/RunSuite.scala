package org.sparkhpc.report

import scala.collection.mutable

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** What a run keeps, and what it only sums up. */
class RunSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** One second after the other: what began in it, and what ended. */
  private val changes =
    Gen.listOf(Gen.zip(Gen.oneOf("job", "stage", "executor"), Gen.chooseNum(0, 3)))

  test("busy time is that of a model that looks at each second") {
    forAll(changes) { changes =>
      val use = new CoreUse
      var there = Set.empty[(String, Int)]
      var (jobs, stages, cores) = (0L, 0L, 0L)
      val offered = mutable.Map.empty[Int, Double]
      for ((change, second) <- changes.zipWithIndex) {
        val (kind, id) = change
        val begins = !there(change)
        (kind, begins) match {
          case ("job", true) => use.jobStarted(id, second.toLong)
          case ("job", false) => use.jobEnded(id, second.toLong)
          case ("stage", true) =>
            use.stageStarted(StageKey(id, 0), second.toLong)
            offered(id) = 0
          case ("stage", false) =>
            val its = use.stageEnded(StageKey(id, 0), second.toLong)
            assert(math.abs(its - offered(id)) < 1e-6)
          case (_, true) => use.executorAdded(s"$id", id + 1, second.toLong)
          case (_, false) => use.executorRemoved(s"$id", second.toLong)
        }
        there = if (begins) there + change else there - change
        val running = there.collect { case ("stage", id) => id }
        val all = there.toSeq.collect { case ("executor", its) => its + 1 }.sum
        for (id <- running) offered(id) += all.toDouble / running.size
        if (there.exists(_._1 == "job")) {
          jobs += 1
          if (there.exists(_._1 == "stage")) stages += 1
          cores += all
        }
      }
      assert(use.until(changes.size.toLong) == BusyTime(jobs, stages, cores))
    }
  }

  private val second = TaskTimes(duration = 1000, run = 1000)

  test("of old stages only sums are kept, and the driver isn't blamed for their time") {
    def run(most: Int): Run = {
      val made = new Run(mostStages = most)
      made.executorAdded("1", "node", 1, 0)
      for (i <- 0 until 100) {
        val (from, to) = (i * 1000L, (i + 1) * 1000L)
        made.jobStarted(i, from)
        made.stageSeen(StageKey(i, 0), s"$i", Some(from), None, None)
        made.add(TaskRow(
          StageKey(i, 0),
          "1",
          TaskOutcome.Succeeded,
          second,
          profile = Map("task/compute" -> 1)
        ))
        made.stageSeen(StageKey(i, 0), s"$i", Some(from), Some(to), None)
        made.jobEnded(i, to)
      }
      made
    }
    val (whole, part) = (run(Int.MaxValue), run(5))
    assert(part.stages.map(_.name) == (95 until 100).map(_.toString))
    assert(part.totals == whole.totals)
    assert(part.totals.taskTime == 100000 && part.totals.busy == 100000 && part.totals.cores == 1)
    assert(Finding.all(part, part.totals).isEmpty)
  }

  test("of executors that were removed long ago only sums are kept") {
    val run = new Run(mostRemoved = 2)
    for (i <- 1 to 10) {
      run.executorAdded(s"$i", "node", 1, i * 10L)
      run.history.add(s"$i", i * 10L + 1, Map("pool.hits" -> 1.0))
    }
    for (i <- 1 to 5) run.executorRemoved(s"$i", "idle", 1000L + i)
    assert(run.executors.map(_.id) == (4 to 10).map(_.toString))
    assert(run.executorCounts == ((10, 5)))
    assert(run.history.sum("pool.hits") == 10)
    assert(run.history.last.size == 7)
  }

  test("the chart of memory has an executor until it is removed") {
    val run = new Run
    run.started = Some(0)
    for (i <- 1 to 2) run.executorAdded(s"$i", s"node$i", 1, 0)
    run.history.add("1", 1000, Map("process.heap" -> 2e9))
    run.history.add("2", 2000, Map("process.heap" -> 1e9))
    run.executorRemoved("1", "lost", 3000)
    val chart = Series.memory(run)
    assert(chart.startsWith("""{"time":[1.0,2.0,3.0],"names":["heap","""), chart)
    assert(chart.contains(""""values":[[2.0,3.0,1.0],"""), chart)
  }
}
