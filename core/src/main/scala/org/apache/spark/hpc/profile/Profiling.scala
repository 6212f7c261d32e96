package org.apache.spark.hpc.profile

import java.util.ServiceLoader

import scala.collection.JavaConverters._

import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.config.Hpc
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.apache.spark.util.Utils
import org.sparkhpc.request.Requests

/** Watches what this executor and its tasks do: gives each task a [[TaskProfile]] that a [[TaskSampler]] fills, and sends
  * [[ExecutorFigures]].
  */
private[spark] final class Profiling private (sampler: TaskSampler, reports: FigureReports) {

  /** The calling thread begins a task. */
  def taskBegan(): Unit = {
    val profile = TaskProfile.ofTask()
    sampler.began(profile)
    Requests.watch(profile)
    TaskContext.get.addTaskCompletionListener[Unit] { _ =>
      Requests.unwatch()
      sampler.ended()
    }: Unit
  }

  def stop(): Unit = {
    sampler.stop()
    reports.stop()
  }
}

private[spark] object Profiling {

  /** Starts the driver's part: listeners get what executors send. */
  def register(channel: DriverChannel, sc: SparkContext): Unit = {
    TaskProfile.register()
    FigureReports.register(channel, sc)
    if (sc.conf.get(Hpc.PROFILE_INTERVAL) > 0) sc.addSparkListener(new DriverRequestsListener(sc))
    // A report is worth no application.
    Utils.tryLogNonFatalError {
      val observers =
        ServiceLoader.load(classOf[DriverObserver], Utils.getContextOrSparkClassLoader)
      observers.asScala.foreach(_.start(sc))
    }
  }

  /** Starts an executor's part; None if the settings say that nothing is watched.
    *
    * @param increments further figures of the executor, since the last call
    */
  def start(
      context: PluginContext,
      increments: () => Map[String, Double]
  ): Option[Profiling] = {
    val interval = context.conf.get(Hpc.PROFILE_INTERVAL)
    if (interval == 0) {
      None
    } else {
      val sampler = new TaskSampler(interval)
      val reports = new FigureReports(context, increments)
      sampler.start()
      reports.start()
      Some(new Profiling(sampler, reports))
    }
  }
}
