package org.apache.spark.scheduler

import scala.util.control.NonFatal

import org.apache.spark.{FetchFailed, SparkContext, Success, TaskKilled}
import org.apache.spark.internal.Logging

/** Ensures that a barrier stage runs with all of its tasks or with none. If only some run, they wait at `barrier()`
  * for the others for ever. Spark 3.5.9 breaks this rule in three cases:
  *
  *   1. A task's success counts even if it is reported after the task's stage attempt has failed (SPARK-59094). The
  *      next attempt then runs without that task. Here, such a success is handled as the end of a killed task.
  *   1. After a fetch failure, the other tasks of the attempt continue, and keep the cores that the next attempt
  *      needs. Here, they are killed, as Spark itself does after any other failure of a barrier task.
  *   1. When some map outputs of a stage are lost with their executor, Spark submits only the tasks that wrote them.
  *      Here, these tasks are killed, and Spark then submits all tasks.
  *
  * Only the event loop of `scheduler` calls this class, which reads that scheduler's state.
  */
private[scheduler] final class BarrierStages(scheduler: DAGScheduler) extends Logging {

  private def stageOf(task: Task[_]): Option[Stage] =
    scheduler.stageIdToStage.get(task.stageId).filter(_ => task.isBarrier)

  private def isOfLatestAttempt(task: Task[_], stage: Stage): Boolean =
    task.stageAttemptId == stage.latestInfo.attemptNumber()

  /** Whether the task belongs to the running attempt. `failedAttemptIds` does not contain all failed attempts: Spark
    * clears it when the stage succeeds, and leaves out some failures, see [[uncounted]].
    */
  private def isRunning(task: Task[_], stage: Stage): Boolean =
    isOfLatestAttempt(task, stage) && scheduler.runningStages(stage)

  /** Handles the end of a task, partly through Spark's own method, `spark`. */
  def ended(event: CompletionEvent)(spark: CompletionEvent => Unit): Unit =
    stageOf(event.task).fold(spark(event)) { stage =>
      val runs = isRunning(event.task, stage)
      event.reason match {
        case Success if !runs => uncounted(event.task, stage)(spark(killed(event)))
        case _: FetchFailed if runs =>
          spark(event)
          killAll(event.task, s"Another task of barrier stage ${stage.id} failed to fetch a block")
        case _: FetchFailed | Success => spark(event)
        case _ => uncounted(event.task, stage)(spark(event))
      }
    }

  /** Called when a task begins. */
  def began(task: Task[_]): Unit =
    for (stage <- stageOf(task) if isRunning(task, stage)) {
      val submitted = stage.latestInfo.numTasks
      if (submitted < stage.numTasks) {
        logWarning(
          s"Spark submitted only $submitted of the ${stage.numTasks} tasks of barrier stage " +
            s"${stage.id}, because only their map outputs were lost. They would wait at the " +
            "barrier for ever, so they are killed, and all tasks are submitted"
        )
        killAll(task, s"Barrier stage ${stage.id} runs with all of its tasks, not with $submitted")
      }
    }

  /** Replaces a task's success by the event of a killed task. */
  private def killed(event: CompletionEvent): CompletionEvent = {
    val kept = event.accumUpdates.filter(_.countFailedValues)
    val reason = TaskKilled(
      "finished after its attempt of the barrier stage had failed",
      kept.map(_.toInfoUpdate),
      kept,
      event.metricPeaks
    )
    event.taskInfo.killed = true
    logInfo(s"${event.task} ${reason.reason}: its result is ignored")
    event.copy(reason = reason, result = null, accumUpdates = kept)
  }

  /** Runs `spark`, the end of a task, and keeps the set of counted attempts. If an attempt was not counted when it
    * failed, because of `spark.stage.ignoreDecommissionFetchFailure`, Spark would count it when its other tasks end.
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
          s"Cannot kill the tasks of barrier stage ${task.stageId}. They may wait at the barrier " +
            "for ever: cancel the job if it makes no progress",
          failure
        )
    }
  }
}
