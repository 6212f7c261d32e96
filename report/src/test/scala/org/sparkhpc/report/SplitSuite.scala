package org.sparkhpc.report

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class SplitSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val stage = StageKey(0, 0)
  private val millis = Gen.chooseNum(0L, 100000L)

  private val times = for {
    Seq(duration, result, deserialize, run, serialize, cpu, gc, fetch, write) <-
      Gen.listOfN(9, millis)
  } yield TaskTimes(duration, result, deserialize, run, serialize, cpu, gc, fetch, write)

  private val cells = for {
    purpose <-
      Gen.oneOf("task", "cache", "spill", "shuffleRead", "shuffleWrite", "input", "unheard of")
    activity <-
      Gen.oneOf(
        "compute",
        "open",
        "read",
        "write",
        "wait",
        "python",
        "network",
        "direct",
        "unheard of"
      )
    count <- Gen.chooseNum(1, 1000)
  } yield s"$purpose/$activity" -> count

  private val tasks = for {
    its <- times
    samples <- Gen.mapOf(cells)
  } yield TaskRow(stage, "1", TaskOutcome.Succeeded, its, profile = samples)

  test("the parts add up to the tasks' time, whatever was measured") {
    forAll(Gen.listOf(tasks)) { rows =>
      val figures = new StageFigures(stage)
      rows.foreach(figures.add)
      val split = figures.split
      assert(math.abs(split.values.sum - figures.times.duration) <= 1e-6 * figures.times.duration)
      assert(split.values.forall(_ >= 0))
    }
  }

  private def splitOf(row: TaskRow): Map[Part, Double] = {
    val figures = new StageFigures(stage)
    figures.add(row)
    figures.split
  }

  private val measured =
    TaskTimes(
      duration = 1000,
      deserialize = 50,
      run = 900,
      serializeResult = 10,
      cpu = 400,
      gc = 100,
      fetchWait = 150
    )

  test("samples divide what is left of the run time after garbage collection") {
    val split = splitOf(
      TaskRow(
        stage,
        "1",
        TaskOutcome.Succeeded,
        measured,
        profile = Map("task/compute" -> 3, "input/open" -> 1)
      )
    )
    assert(
      split == Map(
        Part.Compute -> 600.0,
        Part.Metadata -> 200.0,
        Part.Gc -> 100.0,
        Part.Deserialize -> 50.0,
        Part.Result -> 10.0,
        Part.Scheduler -> 40.0
      )
    )
  }

  test("without samples, as in stock Spark's logs, Spark's own measurements divide it") {
    val split = splitOf(TaskRow(stage, "1", TaskOutcome.Succeeded, measured))
    assert(split(Part.Compute) == 400.0 && split(Part.FetchExecutors) == 150.0 && split(
      Part.OtherWait
    ) == 250.0)
  }

  test("waiting for a metadata server comes before what is opened") {
    assert(Part.ofSample("spill", "open") == Part.Metadata)
    assert(Part.ofSample("cache", "metadata") == Part.Metadata)
    assert(Part.ofSample("spill", "write") == Part.Spill)
    assert(Part.ofSample("cache", "read") == Part.Cache)
    assert(Part.ofSample("shuffleRead", "network") == Part.FetchExecutors)
    assert(Part.ofSample("shuffleRead", "direct") == Part.FetchFiles)
    assert(Part.ofSample("shuffleRead", "read") == Part.Read)
    assert(Part.ofSample("task", "python") == Part.Python)
    assert(Part.ofSample("cache", "compute") == Part.Compute)
  }
}
