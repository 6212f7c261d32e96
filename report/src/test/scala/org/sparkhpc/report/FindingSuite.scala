package org.sparkhpc.report

import org.scalatest.funsuite.AnyFunSuite

/** Runs of two cores for 100 s, whose bottleneck is known. */
class FindingSuite extends AnyFunSuite {
  private val Second = 1000L

  /** A run with a stage of 100 s; `tasks` are the durations and the profiles of its tasks. */
  private def run(
      tasks: Seq[TaskTimes],
      profile: Map[String, Int] = Map("task/compute" -> 1)
  ): Run = {
    val made = begun()
    add(made, StageKey(0, 0), 0, 100, tasks, profile)
    ended(made)
  }

  private def begun(): Run = {
    val made = new Run
    made.started = Some(0)
    made.executorAdded("1", "node1", 2, 0)
    made.jobStarted(0, 0)
    made
  }

  private def ended(made: Run): Run = {
    made.jobEnded(0, 100 * Second)
    made.ended = Some(100 * Second)
    made
  }

  private def add(
      to: Run,
      key: StageKey,
      from: Int,
      until: Int,
      tasks: Seq[TaskTimes],
      profile: Map[String, Int],
      outcome: TaskOutcome = TaskOutcome.Succeeded
  ): Unit = {
    val begin = Some(from * Second)
    val failure = if (outcome == TaskOutcome.Succeeded) None else Some("it failed")
    to.stageSeen(key, "stage", begin, None, None)
    tasks.foreach(times => to.add(TaskRow(key, "1", outcome, times, profile = profile)))
    to.stageSeen(key, "stage", begin, Some(until * Second), failure)
  }

  private def busy(millis: Long): TaskTimes = TaskTimes(duration = millis, run = millis)

  private val even = Seq.fill(20)(busy(10 * Second))

  private def found(in: Run): Option[Finding] =
    Finding.bottleneck(Finding.all(in, in.totals), in.totals)

  private def cause(in: Run): Option[String] = found(in).map(_.cause)

  private def conclusion(of: Run): Seq[String] = TextReport.conclusion(of, of.totals)

  test("a run whose tasks compute has none") {
    assert(found(run(even)).isEmpty)
    assert(conclusion(run(even)).head.startsWith("No bottleneck was found"))
  }

  test("each part of tasks' time that is waited for") {
    val expected = Seq(
      "input/open" -> "metadata",
      "shuffleWrite/metadata" -> "metadata",
      "shuffleWrite/write" -> "data",
      "input/read" -> "data",
      "cache/read" -> "cache",
      "spill/write" -> "spill",
      "task/python" -> "python",
      "shuffleRead/network" -> "fetch"
    )
    for ((cell, name) <- expected)
      assert(cause(run(even, Map("task/compute" -> 6, cell -> 4))).contains(name), cell)
  }

  test("the gain is the part's time on the cores that there are") {
    val its = found(run(even, Map("task/compute" -> 6, "input/open" -> 4))).get
    assert(its.gain == 40 * Second)
    assert(its.figure.contains("40%"))
  }

  test("garbage collection") {
    assert(cause(run(even.map(_.copy(gc = 4 * Second)))).contains("gc"))
  }

  test("one task that is much longer than the others") {
    val its = found(run(Seq.fill(19)(busy(2 * Second)) :+ busy(98 * Second))).get
    assert(its.cause == "skew")
    assert(its.figure == "the longest task of stage 0 took 98 s, and the median task 2.0 s")
    // With equal partitions, 136 s of tasks on two cores.
    assert(its.gain == 30 * Second)
  }

  test("tasks that take longer to start than they run") {
    val small = Seq.fill(4000)(TaskTimes(duration = 50, deserialize = 10, run = 15))
    assert(cause(run(small)).contains("smallTasks"))
  }

  test("map outputs that were lost") {
    val made = begun()
    add(made, StageKey(0, 0), 0, 30, even.take(6), Map("task/compute" -> 1))
    add(
      made,
      StageKey(1, 0),
      30,
      40,
      even.take(2),
      Map("task/compute" -> 1),
      TaskOutcome.FetchFailed
    )
    add(made, StageKey(0, 1), 40, 70, even.take(6), Map("task/compute" -> 1))
    add(made, StageKey(1, 1), 70, 100, even.take(6), Map("task/compute" -> 1))
    made.executorRemoved("2", "killed", 30 * Second)
    assert(cause(ended(made)).contains("lostOutputs"))
  }

  test("a driver that works alone") {
    val made = begun()
    add(made, StageKey(0, 0), 0, 40, even.take(8), Map("task/compute" -> 1))
    assert(cause(ended(made)).contains("driver"))
  }

  test("the conclusion names the bottleneck, the figure, the change and the gain") {
    val lines = conclusion(run(even, Map("task/compute" -> 6, "task/python" -> 4)))
    assert(
      lines.head == "The bottleneck is a Python function: tasks wait for their Python workers in 40% of their time."
    )
    assert(lines(1).startsWith("To mend it, use built-in functions"))
    assert(lines(2) == "The gain would be at most 40 s of 100 s (40%).")
  }
}
