package org.sparkhpc.report

import scala.collection.mutable

/** How long jobs and stages ran, and how many cores there were meanwhile. It keeps sums only, since an application can run
  * any number of jobs. Events must come in the order of their time; an event that is late counts as one at the time of
  * the event before. Not thread-safe.
  */
private[report] final class CoreUse {
  private val jobs = mutable.Set.empty[Int]
  // With the core-milliseconds that each was offered.
  private val stages = mutable.Map.empty[StageKey, Double]
  private val cores = mutable.Map.empty[String, Int]
  private var last = Long.MinValue
  private var sums = BusyTime()

  def jobStarted(job: Int, time: Long): Unit = at(time)(jobs += job)

  def jobEnded(job: Int, time: Long): Unit = at(time)(jobs -= job)

  def stageStarted(stage: StageKey, time: Long): Unit = at(time)(stages(stage) = 0)

  /** Returns the core-milliseconds that the stage was offered; at a time, stages that run share all cores equally. */
  def stageEnded(stage: StageKey, time: Long): Double = {
    at(time)(())
    stages.remove(stage).getOrElse(0)
  }

  def executorAdded(executor: String, its: Int, time: Long): Unit = at(time)(cores(executor) = its)

  def executorRemoved(executor: String, time: Long): Unit = at(time)(cores -= executor)

  /** The sums if nothing changes until `time`. */
  def until(time: Long): BusyTime = {
    val millis = if (jobs.isEmpty || last == Long.MinValue) 0 else math.max(0, time - last)
    BusyTime(
      sums.jobs + millis,
      sums.stages + (if (stages.isEmpty) 0 else millis),
      sums.cores + millis * cores.values.sum
    )
  }

  private def at(time: Long)(change: => Unit): Unit = {
    if (last != Long.MinValue && stages.nonEmpty) {
      val offered = math.max(0, time - last).toDouble * cores.values.sum / stages.size
      stages.transform((_, before) => before + offered)
    }
    sums = until(time)
    last = math.max(last, time)
    change
  }
}

/** @param jobs the milliseconds in which at least one job ran
  * @param stages those of them in which at least one stage ran
  * @param cores core-milliseconds that executors offered while jobs ran
  */
private[report] final case class BusyTime(jobs: Long = 0, stages: Long = 0, cores: Long = 0)
