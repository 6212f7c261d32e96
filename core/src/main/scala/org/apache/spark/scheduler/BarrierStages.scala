package org.apache.spark.scheduler

import scala.util.control.NonFatal

import org.apache.spark.{FetchFailed, SparkContext, Success, TaskKilled}
import org.apache.spark.internal.Logging

/** Holds Spark to its rule that a barrier stage runs with all of its tasks or with none: with fewer,
  * those that run wait at `barrier()` for the others for ever. Spark 3.5.7 breaks it in three ways:
  *
  *   1. A task's success counts although its attempt has failed, when the message comes after the
  *      failure (SPARK-59094). The next attempt runs without that task. Here such a success is the
  *      end of a killed task.
  *   1. After a fetch failure, the other tasks of the attempt go on, and keep the cores that the
  *      next one needs. Here they are killed, as Spark itself does after any other failure of a
  *      barrier task.
  *   1. When some map outputs of a stage are lost with their executor, only the tasks that wrote
  *      these are submitted. Here those are killed, whereupon Spark submits all.
  *
  * It is called by the event loop of `scheduler`, whose state it reads.
  */
private[scheduler] final class BarrierStages(scheduler: DAGScheduler) extends Logging {

  private def stageOf(task: Task[_]): Option[Stage] =
    scheduler.stageIdToStage.get(task.stageId).filter(_ => task.isBarrier)

  private def isOfLatestAttempt(task: Task[_], stage: Stage): Boolean =
    task.stageAttemptId == stage.latestInfo.attemptNumber()

  /** Whether the task's attempt is the one that runs. That it failed isn't always in
    * `failedAttemptIds`: Spark clears these when the stage succeeds, and leaves out some failures,
    * see [[uncounted]].
    */
  private def isRunning(task: Task[_], stage: Stage): Boolean =
    isOfLatestAttempt(task, stage) && scheduler.runningStages(stage)

  /** Lets Spark handle the end of a task, by `spark`. */
  def ended(event: CompletionEvent)(spark: CompletionEvent => Unit): Unit =
    stageOf(event.task).fold(spark(event)) { stage =>
      val runs = isRunning(event.task, stage)
      event.reason match {
        case Success if !runs => uncounted(event.task, stage)(spark(killed(event)))
        case _: FetchFailed if runs =>
          spark(event)
          killAll(event.task, s"Another task of barrier stage ${stage.id} couldn't fetch a block")
        case _: FetchFailed | Success => spark(event)
        case _ => uncounted(event.task, stage)(spark(event))
      }
    }

  /** Sees a task begin. */
  def began(task: Task[_]): Unit =
    for (stage <- stageOf(task) if isRunning(task, stage)) {
      val submitted = stage.latestInfo.numTasks
      if (submitted < stage.numTasks) {
        logWarning(
          s"$submitted of the ${stage.numTasks} tasks of barrier stage ${stage.id} were submitted, since the map outputs of " +
            "these were lost. They would wait for the others, so they are killed, and all are submitted"
        )
        killAll(task, s"Barrier stage ${stage.id} runs with all of its tasks, not with $submitted")
      }
    }

  /** The event that a task's end would have been, had the order to end come to its executor in time. */
  private def killed(event: CompletionEvent): CompletionEvent = {
    val kept = event.accumUpdates.filter(_.countFailedValues)
    val reason = TaskKilled(
      "finished when its attempt of a barrier stage had failed",
      kept.map(_.toInfoUpdate),
      kept,
      event.metricPeaks
    )
    event.taskInfo.killed = true
    logInfo(s"${event.task} ${reason.reason}: it doesn't count")
    event.copy(reason = reason, result = null, accumUpdates = kept)
  }

  /** Keeps Spark from counting an attempt that has failed without being counted, because of
    * `spark.stage.ignoreDecommissionFetchFailure`, when its other tasks end.
    */
  private def uncounted(task: Task[_], stage: Stage)(spark: => Unit): Unit =
    if (
      !isOfLatestAttempt(task, stage) || scheduler.runningStages(stage) ||
      stage.failedAttemptIds(task.stageAttemptId)
    ) spark
    else {
      val counted = stage.failedAttemptIds.toList
      stage.failedAttemptIds.clear()
      try spark
      finally {
        stage.failedAttemptIds.clear()
        stage.failedAttemptIds ++= counted
      }
    }

  private def killAll(task: Task[_], why: String): Unit = {
    val interrupts = Option(task.localProperties)
      .flatMap(all => Option(all.getProperty(SparkContext.SPARK_JOB_INTERRUPT_ON_CANCEL)))
    try scheduler.taskScheduler.killAllTaskAttempts(task.stageId, interrupts.contains("true"), why)
    catch {
      case NonFatal(failure) => logWarning(
          s"Cannot kill the tasks of barrier stage ${task.stageId}, which may wait for others for ever: cancel the job if they do",
          failure
        )
    }
  }
}
