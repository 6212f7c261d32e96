package org.sparkhpc.report

/** Divides the time of a stage's tasks into its parts, which add up to the sum of the tasks' durations.
  *
  * Spark measures the time to load tasks, to send results, and of garbage collection. The rest of the run time is
  * divided by the samples of the tasks' threads: no sample is taken while a collection stops the process. In an event
  * log without samples, Spark's CPU time, fetch wait and shuffle write time divide it.
  */
object Split {

  /** Milliseconds of each part that isn't 0. */
  def apply(stage: StageFigures): Map[Part, Double] = {
    val times = stage.times
    val result = times.serializeResult + times.gettingResult
    val measured = times.deserialize + result + times.run
    // The driver measures the duration and executors the rest, so the rest can be a little more.
    val scale = if (measured > times.duration) times.duration.toDouble / measured else 1.0
    val run = times.run * scale
    val gc = math.min(times.gc.toDouble, run)
    val parts = Seq[(Part, Double)](
      Part.Deserialize -> times.deserialize * scale,
      Part.Result -> result * scale,
      Part.Gc -> gc,
      Part.Scheduler -> (times.duration - measured * scale)
    ) ++ (if (stage.samples > 0) bySamples(stage, run - gc) else byMetrics(times, run - gc))
    parts.groupBy(_._1).map { case (part, its) => part -> its.map(_._2).sum }.filter(_._2 > 0)
  }

  private def bySamples(stage: StageFigures, run: Double): Seq[(Part, Double)] =
    stage.profile.toSeq.map { case (cell, count) =>
      Part.ofCell(cell) -> run * count / stage.samples
    }

  private def byMetrics(times: TaskTimes, run: Double): Seq[(Part, Double)] = {
    val cpu = math.min(times.cpu.toDouble, run)
    val fetch = math.min(times.fetchWait.toDouble, run - cpu)
    val write = math.min(times.shuffleWrite.toDouble, run - cpu - fetch)
    Seq(
      Part.Compute -> cpu,
      Part.FetchExecutors -> fetch,
      Part.Write -> write,
      Part.OtherWait -> (run - cpu - fetch - write)
    )
  }
}
