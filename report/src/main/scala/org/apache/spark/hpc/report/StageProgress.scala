package org.apache.spark.hpc.report

import scala.collection.mutable

import org.apache.spark.{SparkContext, Success}
import org.apache.spark.hpc.profile.{DriverObserver, TaskProfile}
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc
import org.apache.spark.scheduler._
import org.sparkhpc.report.{Progress, Samples}

/** Logs a line on each stage that runs for long, and says what its tasks do: executors tell it with their heartbeats. */
final class StageProgress extends DriverObserver {
  override def start(sc: SparkContext): Unit = {
    val pause = sc.conf.get(Hpc.PROFILE_PROGRESS)
    if (pause > 0 && sc.conf.get(Hpc.PROFILE_INTERVAL) > 0)
      sc.addSparkListener(new StageProgress.Listener(pause))
  }
}

private[report] object StageProgress {

  /** Called by one thread only. */
  private[report] class Listener(pauseMillis: Long) extends SparkListener with Logging {
    override def logName: String = classOf[StageProgress].getName

    private val stages = mutable.Map.empty[(Int, Int), Progress]

    override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = {
      val info = event.stageInfo
      val attempt = info.attemptNumber()
      val label = if (attempt == 0) s"${info.stageId}" else s"${info.stageId}.$attempt"
      val submitted = info.submissionTime.getOrElse(System.currentTimeMillis())
      stages((info.stageId, attempt)) = new Progress(label, info.name, info.numTasks, submitted)
    }

    override def onStageCompleted(event: SparkListenerStageCompleted): Unit =
      stages -= ((event.stageInfo.stageId, event.stageInfo.attemptNumber()))

    override def onExecutorMetricsUpdate(event: SparkListenerExecutorMetricsUpdate): Unit = {
      for {
        (task, stage, attempt, metrics) <- event.accumUpdates
        progress <- stages.get((stage, attempt))
      } progress.runs(task, samples(metrics))
      say()
    }

    override def onTaskEnd(event: SparkListenerTaskEnd): Unit = {
      val info = event.taskInfo
      for (progress <- stages.get((event.stageId, event.stageAttemptId)))
        progress.taskEnded(info.taskId, samples(info.accumulables), event.reason == Success)
      say()
    }

    private def samples(metrics: collection.Seq[AccumulableInfo]): Map[String, Int] =
      metrics.find(_.name.contains(TaskProfile.Name)).flatMap(_.update)
        .fold(Map.empty[String, Int])(update => Samples.parse(update.toString))

    private def say(): Unit = {
      val now = System.currentTimeMillis()
      stages.values.flatMap(_.line(now, pauseMillis)).foreach(show)
    }

    protected def show(line: String): Unit = logInfo(line)
  }
}
