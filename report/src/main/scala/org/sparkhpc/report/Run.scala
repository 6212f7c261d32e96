package org.sparkhpc.report

import scala.collection.mutable

/** What happened in one run of an application, from its events in their order. Not thread-safe.
  *
  * @param mostStages the number of stages of which details are kept; of older ones, only sums are
  * @param mostRemoved the same for executors that were removed
  */
final class Run(mostStages: Int = Int.MaxValue, mostRemoved: Int = Int.MaxValue) {
  var name: String = ""
  var id: String = ""
  var sparkVersion: String = ""

  /** Milliseconds since the epoch; None if the event log has no such event. */
  var started: Option[Long] = None
  var ended: Option[Long] = None

  val history: ExecutorHistory = new ExecutorHistory

  /** The requests of the driver's own threads. */
  var driverRequests: RequestFigures = new RequestFigures

  val rdds: CachedRdds = new CachedRdds(mostStages)

  private val use = new CoreUse
  private val stagesByKey = mutable.LinkedHashMap.empty[StageKey, StageFigures]
  private val executorsById = mutable.LinkedHashMap.empty[String, ExecutorSpan]
  private var forgottenExecutors = 0
  private var last = 0L
  private var older = Sums()

  def add(task: TaskRow): Unit = stage(task.stage).add(task)

  /** Notes what an event says of an attempt of a stage. */
  def stageSeen(
      key: StageKey,
      name: String,
      submitted: Option[Long],
      completed: Option[Long],
      failure: Option[String]
  ): Unit = {
    val its = stage(key)
    its.name = name
    its.submitted = submitted
    its.completed = completed
    its.failure = failure
    submitted.filter(_ => completed.isEmpty).foreach(use.stageStarted(key, _))
    completed.foreach(time => its.offered = use.stageEnded(key, time))
    (submitted ++ completed).foreach(saw(_))
  }

  /** Notes the time of an event: a run that was killed has no event for its end. */
  def saw(time: Long): Unit = last = math.max(last, time)

  /** Adds what an executor has sent. */
  def figures(executor: String, time: Long, its: Map[String, Double]): Unit = {
    history.add(executor, time, its)
    rdds.add(its)
    saw(time)
  }

  /** Notes the driver's requests until `time`.
    *
    * @param its what [[RequestFigures.parse]] has returned
    */
  def driverMade(time: Long, its: Map[String, Int]): Unit = {
    driverRequests = new RequestFigures
    driverRequests.add(its)
    saw(time)
  }

  def jobStarted(job: Int, time: Long): Unit = use.jobStarted(job, time)

  def jobEnded(job: Int, time: Long): Unit = use.jobEnded(job, time)

  def executorAdded(executor: String, host: String, cores: Int, time: Long): Unit = {
    executorsById(executor) = ExecutorSpan(executor, host, cores, None)
    use.executorAdded(executor, cores, time)
  }

  def executorRemoved(executor: String, why: String, time: Long): Unit =
    for (its <- executorsById.get(executor)) {
      executorsById(executor) = its.copy(removed = Some(Removal(time, why)))
      use.executorRemoved(executor, time)
      forgetOldestExecutor()
    }

  def stages: Seq[StageFigures] = stagesByKey.values.toSeq

  def executors: Seq[ExecutorSpan] = executorsById.values.toSeq

  /** The number of executors that there were, and of those that were removed. */
  def executorCounts: (Int, Int) = {
    val removed = executors.count(_.removed.isDefined)
    (executors.size + forgottenExecutors, removed + forgottenExecutors)
  }

  /** When the last event happened. */
  def over: Long = ended.getOrElse(last)

  def wall: Long = math.max(0, over - started.getOrElse(over))

  /** Sums over all stages, and the use of the cores until now. */
  def totals: Totals = Totals(stages.map(Sums.of).foldLeft(older)(_ + _), use.until(over))

  private def stage(key: StageKey): StageFigures =
    stagesByKey.getOrElse(
      key, {
        if (stagesByKey.size >= mostStages) forgetOldestStage()
        val made = new StageFigures(key)
        stagesByKey(key) = made
        made
      }
    )

  private def forgetOldestStage(): Unit =
    for (oldest <- stagesByKey.values.find(_.completed.isDefined)) {
      older += Sums.of(oldest)
      stagesByKey -= oldest.key
    }

  private def forgetOldestExecutor(): Unit = {
    val removed = executors.filter(_.removed.isDefined)
    if (removed.size > mostRemoved) {
      val oldest = removed.minBy(_.removed.map(_.time)).id
      executorsById -= oldest
      history.forget(oldest)
      forgottenExecutors += 1
    }
  }
}

/** @param removed when and why the driver removed the executor */
final case class ExecutorSpan(id: String, host: String, cores: Int, removed: Option[Removal])

/** @param time milliseconds since the epoch */
final case class Removal(time: Long, why: String)
