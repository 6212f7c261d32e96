package org.sparkhpc.report

import scala.collection.mutable

/** What happened in one run of an application, from its events in their order. Not thread-safe.
  *
  * @param mostStages the number of stages of which details are kept; of older ones, only sums are
  */
final class Run(mostStages: Int = Int.MaxValue) {
  var name: String = ""
  var id: String = ""
  var sparkVersion: String = ""

  /** Milliseconds since the epoch; None if the event log has no such event. */
  var started: Option[Long] = None
  var ended: Option[Long] = None

  val history: ExecutorHistory = new ExecutorHistory

  private val stagesByKey = mutable.LinkedHashMap.empty[StageKey, StageFigures]
  private val executorsById = mutable.LinkedHashMap.empty[String, ExecutorSpan]
  private val jobSpans = mutable.LinkedHashMap.empty[Int, Span]
  private var last = 0L
  private var older = Run.Sums()

  def stage(key: StageKey): StageFigures =
    stagesByKey.getOrElse(
      key, {
        if (stagesByKey.size >= mostStages) forgetOldest()
        val made = new StageFigures(key)
        stagesByKey(key) = made
        made
      }
    )

  private def forgetOldest(): Unit =
    for (oldest <- stagesByKey.values.find(_.completed.isDefined)) {
      older += Run.Sums.of(oldest)
      stagesByKey -= oldest.key
    }

  def stages: Seq[StageFigures] = stagesByKey.values.toSeq

  def executors: Seq[ExecutorSpan] = executorsById.values.toSeq

  def add(task: TaskRow): Unit = stage(task.stage).add(task)

  /** Notes the time of an event: a run that was killed has no event for its end. */
  def saw(time: Long): Unit = last = math.max(last, time)

  def jobStarted(job: Int, time: Long): Unit = jobSpans(job) = Span(time, None)
  def jobEnded(job: Int, time: Long): Unit =
    jobSpans.get(job).foreach(span => jobSpans(job) = span.copy(to = Some(time)))

  def executorAdded(executor: String, host: String, cores: Int, time: Long): Unit =
    executorsById(executor) = ExecutorSpan(executor, host, cores, Span(time, None), None)
  def executorRemoved(executor: String, why: String, time: Long): Unit =
    for (its <- executorsById.get(executor))
      executorsById(executor) = its.copy(span = its.span.copy(to = Some(time)), removed = Some(why))

  /** When the last event happened. */
  def over: Long = ended.getOrElse(last)

  def wall: Long = math.max(0, over - started.getOrElse(over))

  /** The milliseconds in which at least one job ran. */
  def busy: Long = Span.union(jobSpans.values.map(_.within(over)).toSeq)

  /** Core-milliseconds that executors offered while jobs ran. */
  def coreTime: Long =
    executors.map(its =>
      its.cores * Span.union(
        jobSpans.values.flatMap(_.within(over).common(its.span.within(over))).toSeq
      )
    ).sum

  /** The mean number of cores while jobs ran. */
  def cores: Double = if (busy == 0) 0 else coreTime.toDouble / busy

  private def sums: Run.Sums = stages.map(Run.Sums.of).foldLeft(older)(_ + _)

  /** Milliseconds of each part of all tasks' time. */
  def split: Map[Part, Double] = sums.split

  /** The sum of all tasks' durations. */
  def taskTime: Long = sums.taskTime

  def bytes: TaskBytes = sums.bytes
}

private[report] object Run {

  /** Sums over stages. */
  final case class Sums(
      split: Map[Part, Double] = Map.empty,
      taskTime: Long = 0,
      bytes: TaskBytes = TaskBytes()
  ) {
    def +(other: Sums): Sums = {
      val parts = (split.keySet ++ other.split.keySet).toSeq
      Sums(
        parts.map(part =>
          part -> (split.getOrElse(part, 0.0) + other.split.getOrElse(part, 0.0))
        ).toMap,
        taskTime + other.taskTime,
        bytes + other.bytes
      )
    }
  }

  object Sums {
    def of(stage: StageFigures): Sums = Sums(stage.split, stage.times.duration, stage.bytes)
  }
}

/** An executor's life.
  *
  * @param removed why the driver removed it
  */
final case class ExecutorSpan(
    id: String,
    host: String,
    cores: Int,
    span: Span,
    removed: Option[String]
)

/** A time from `from` to `to`, in milliseconds since the epoch; it has not ended if `to` is None. */
final case class Span(from: Long, to: Option[Long]) {
  def within(end: Long): Span = Span(from, Some(math.min(end, to.getOrElse(end))))

  def common(other: Span): Option[Span] = {
    val begin = math.max(from, other.from)
    val end = math.min(to.getOrElse(Long.MaxValue), other.to.getOrElse(Long.MaxValue))
    if (begin < end) Some(Span(begin, Some(end))) else None
  }
}

object Span {

  /** The milliseconds that at least one of the spans covers; all of them have ended. */
  def union(spans: Seq[Span]): Long = {
    var covered = 0L
    var end = Long.MinValue
    for (span <- spans.sortBy(_.from); to <- span.to if to > end) {
      covered += to - math.max(span.from, end)
      end = to
    }
    covered
  }
}
