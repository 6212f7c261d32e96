package org.sparkhpc.report

import scala.collection.mutable

/** Sums over the tasks of one attempt of a stage. Not thread-safe. */
final class StageFigures(val key: StageKey) {
  var name: String = ""

  /** Milliseconds since the epoch; None if the event log has no such event. */
  var submitted: Option[Long] = None
  var completed: Option[Long] = None

  /** The core-milliseconds that it was offered ([[CoreUse]]); 0 until it is completed. */
  var offered: Double = 0

  /** Why the attempt failed. */
  var failure: Option[String] = None

  val requests: RequestFigures = new RequestFigures

  private var sums = TaskTimes()
  private var moved = TaskBytes()
  private val taskMillis = mutable.ArrayBuilder.make[Int]
  private val ends = mutable.Map.empty[TaskOutcome, Int].withDefaultValue(0)
  private val counts = mutable.Map.empty[String, Long].withDefaultValue(0L)

  def add(task: TaskRow): Unit = {
    sums += task.times
    moved += task.bytes
    taskMillis += math.min(task.times.duration, Int.MaxValue).toInt
    ends(task.outcome) += 1
    for ((cell, count) <- task.profile) counts(cell) += count
    requests.add(task.requests)
  }

  /** Its id, and its attempt if that isn't the first: `3`, `3.1`. */
  def label: String = if (key.attempt == 0) s"${key.id}" else s"${key.id}.${key.attempt}"

  def times: TaskTimes = sums
  def bytes: TaskBytes = moved

  /** The number of tasks that ended in this way. */
  def outcome(how: TaskOutcome): Int = ends(how)
  def tasks: Int = ends.values.sum

  /** The number of samples by `PURPOSE/ACTIVITY`. */
  def profile: collection.Map[String, Long] = counts
  def samples: Long = counts.values.sum

  /** The number of tasks that did not succeed. */
  def failed: Int = tasks - outcome(TaskOutcome.Succeeded)

  /** The median and the longest duration of a task in milliseconds; None without tasks. */
  def durations: Option[(Int, Int)] = {
    val all = taskMillis.result()
    java.util.Arrays.sort(all)
    if (all.isEmpty) None else Some((all((all.length - 1) / 2), all.last))
  }

  /** Milliseconds from the submission to the completion. */
  def duration: Option[Long] = for (from <- submitted; to <- completed) yield math.max(0, to - from)

  /** The core-milliseconds that no task of it used. */
  def idle: Double = math.max(0, offered - times.duration)

  /** Milliseconds of each part of the tasks' time. */
  def split: Map[Part, Double] = Split(this)
}
