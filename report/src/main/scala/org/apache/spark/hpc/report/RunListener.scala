package org.apache.spark.hpc.report

import org.apache.spark.{
  ExecutorLostFailure,
  FetchFailed,
  Success,
  TaskCommitDenied,
  TaskEndReason,
  TaskKilled
}
import org.apache.spark.SPARK_VERSION
import org.apache.spark.hpc.profile.{DriverRequests, ExecutorFigures, LiveFigures, TaskProfile}
import org.apache.spark.scheduler._
import org.sparkhpc.report.{
  CachedRdds,
  RequestFigures,
  Run,
  Samples,
  StageKey,
  TaskBytes,
  TaskOutcome,
  TaskRow,
  TaskTimes
}

/** Adds the events of a running or replayed application to a [[Run]]; what it adds is the same as what the event log
  * of the application adds by `EventReader`. All methods are thread-safe.
  */
private[report] final class RunListener(run: Run) extends SparkListener {
  run.sparkVersion = SPARK_VERSION

  /** Reads the run while nothing is added. */
  def read[A](reader: Run => A): A = synchronized(reader(run))

  override def onApplicationStart(event: SparkListenerApplicationStart): Unit = synchronized {
    run.name = event.appName
    run.id = event.appId.getOrElse("")
    run.started = Some(event.time)
    run.saw(event.time)
  }

  override def onApplicationEnd(event: SparkListenerApplicationEnd): Unit = synchronized {
    run.ended = Some(event.time)
    run.saw(event.time)
  }

  override def onJobStart(event: SparkListenerJobStart): Unit = synchronized {
    run.jobStarted(event.jobId, event.time)
    run.saw(event.time)
  }

  override def onJobEnd(event: SparkListenerJobEnd): Unit = synchronized {
    run.jobEnded(event.jobId, event.time)
    run.saw(event.time)
  }

  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = stage(event.stageInfo)

  override def onStageCompleted(event: SparkListenerStageCompleted): Unit = stage(event.stageInfo)

  private def stage(info: StageInfo): Unit = synchronized {
    run.stageSeen(
      StageKey(info.stageId, info.attemptNumber()),
      info.name,
      info.submissionTime,
      info.completionTime,
      info.failureReason
    )
    for (rdd <- info.rddInfos if rdd.storageLevel.isValid)
      run.rdds.seen(rdd.id, CachedRdds.name(rdd.name, rdd.callSite))
  }

  override def onExecutorAdded(event: SparkListenerExecutorAdded): Unit = synchronized {
    run.executorAdded(
      event.executorId,
      event.executorInfo.executorHost,
      event.executorInfo.totalCores,
      event.time
    )
    run.saw(event.time)
  }

  override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit = synchronized {
    run.executorRemoved(event.executorId, event.reason, event.time)
    run.saw(event.time)
  }

  override def onTaskEnd(event: SparkListenerTaskEnd): Unit = {
    val row = rowOf(event)
    synchronized {
      run.add(row)
      run.saw(event.taskInfo.finishTime)
    }
  }

  override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case figures: ExecutorFigures =>
      synchronized(run.figures(figures.executorId, figures.time, figures.figures))
    case DriverRequests(time, requests) =>
      synchronized(run.driverMade(time, RequestFigures.parse(requests)))
    case LiveFigures(now) => synchronized(run.history.update(now.executorId, now.figures))
    case _ =>
  }

  private def rowOf(event: SparkListenerTaskEnd): TaskRow = {
    val info = event.taskInfo
    val profile = info.accumulables
      .find(_.name.contains(TaskProfile.Name))
      .flatMap(_.update)
      .fold("")(_.toString)
    val metrics = Option(event.taskMetrics)
    val around = TaskTimes(
      duration = math.max(0, info.finishTime - info.launchTime),
      gettingResult =
        if (info.gettingResultTime > 0) math.max(0, info.finishTime - info.gettingResultTime) else 0
    )
    TaskRow(
      StageKey(event.stageId, event.stageAttemptId),
      info.executorId,
      outcome(event.reason),
      metrics.fold(around) { its =>
        around.copy(
          deserialize = its.executorDeserializeTime,
          run = its.executorRunTime,
          serializeResult = its.resultSerializationTime,
          cpu = its.executorCpuTime / NanosPerMilli,
          gc = its.jvmGCTime,
          fetchWait = its.shuffleReadMetrics.fetchWaitTime,
          shuffleWrite = its.shuffleWriteMetrics.writeTime / NanosPerMilli
        )
      },
      metrics.fold(TaskBytes()) { its =>
        TaskBytes(
          input = its.inputMetrics.bytesRead,
          output = its.outputMetrics.bytesWritten,
          shuffleRead = its.shuffleReadMetrics.totalBytesRead,
          shuffleWritten = its.shuffleWriteMetrics.bytesWritten,
          spilled = its.diskBytesSpilled
        )
      },
      Samples.parse(profile),
      RequestFigures.parse(profile)
    )
  }

  private def outcome(reason: TaskEndReason): TaskOutcome = reason match {
    case Success => TaskOutcome.Succeeded
    case _: FetchFailed => TaskOutcome.FetchFailed
    case _: ExecutorLostFailure => TaskOutcome.ExecutorLost
    case _: TaskKilled | _: TaskCommitDenied => TaskOutcome.Killed
    case _ => TaskOutcome.Failed
  }

  private val NanosPerMilli = 1000000
}
