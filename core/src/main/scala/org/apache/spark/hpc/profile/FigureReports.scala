package org.apache.spark.hpc.profile

import scala.util.control.NonFatal

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.Logging
import org.apache.spark.storage.hpc.channel.DriverChannel

/** Sends this executor's [[ExecutorFigures]] to the driver: often when it is young, then each time that its age has grown
  * by a twentieth. So an executor of a day sends fewer than 200, and the last ones miss at most a twentieth of its life.
  */
private[spark] final class FigureReports(context: PluginContext) extends Logging {
  private val begun = System.nanoTime()
  @volatile private var isStopped = false

  private val thread = new Thread(() => run(), "spark-hpc-figures")
  thread.setDaemon(true)

  def start(): Unit = thread.start()

  def stop(): Unit = {
    isStopped = true
    thread.interrupt()
  }

  private def run(): Unit =
    try
      while (!isStopped) {
        val age = (System.nanoTime() - begun) / 1000000
        Thread.sleep(math.max(FigureReports.LeastMillis, age / 20))
        context.send(figures())
      }
    catch {
      case _: InterruptedException => // stopped
      case NonFatal(e) if !isStopped =>
        logWarning(
          "Spark-HPC stops to send this executor's figures to the driver; reports lack them.",
          e
        )
      case NonFatal(_) => // the driver is gone
    }

  private def figures(): ExecutorFigures = {
    val env = SparkEnv.get
    val ours = env.metricsSystem.getSourcesByName("hpc").map(source =>
      RegistryFigures.of(source.metricRegistry)
    )
    val all = ours.foldLeft(ProcessFigures.now())(_ ++ _)
    ExecutorFigures(
      System.currentTimeMillis(),
      context.executorID(),
      env.blockManager.blockManagerId.host,
      all.filter(_._2 != 0)
    )
  }
}

private[spark] object FigureReports {
  private val LeastMillis = 2000L

  /** On the driver: passes executors' figures on to the listeners. */
  def register(channel: DriverChannel, sc: SparkContext): Unit =
    channel.onTell[ExecutorFigures](figures => sc.listenerBus.post(figures))
}
