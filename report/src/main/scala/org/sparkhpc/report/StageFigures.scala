package org.sparkhpc.report

import scala.collection.mutable

/** Sums over the tasks of one attempt of a stage. Not thread-safe. */
final class StageFigures(val key: StageKey) {
  var name: String = ""

  /** Milliseconds since the epoch; None if the event log has no such event. */
  var submitted: Option[Long] = None
  var completed: Option[Long] = None

  /** Why the attempt failed. */
  var failure: Option[String] = None

  private var sums = TaskTimes()
  private var moved = TaskBytes()
  private var durations = mutable.ArrayBuilder.make[Int]
  private val ends = mutable.Map.empty[TaskOutcome, Int].withDefaultValue(0)
  private val counts = mutable.Map.empty[String, Long].withDefaultValue(0L)

  def add(task: TaskRow): Unit = {
    sums += task.times
    moved += task.bytes
    durations += math.min(task.times.duration, Int.MaxValue).toInt
    ends(task.outcome) += 1
    for ((cell, count) <- task.profile) counts(cell) += count
  }

  def times: TaskTimes = sums
  def bytes: TaskBytes = moved

  /** The number of tasks that ended in this way. */
  def outcome(how: TaskOutcome): Int = ends(how)
  def tasks: Int = ends.values.sum

  /** The number of samples by `PURPOSE/ACTIVITY`. */
  def profile: collection.Map[String, Long] = counts
  def samples: Long = counts.values.sum

  /** The durations of all tasks in milliseconds, the shortest first. */
  def sortedDurations: Array[Int] = {
    val all = durations.result()
    java.util.Arrays.sort(all)
    durations = mutable.ArrayBuilder.make[Int]
    durations ++= all
    all
  }

  /** Milliseconds from the submission to the completion. */
  def duration: Option[Long] = for (from <- submitted; to <- completed) yield math.max(0, to - from)

  /** Milliseconds of each part of the tasks' time. */
  def split: Map[Part, Double] = Split(this)
}
