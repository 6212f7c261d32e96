package org.apache.spark.hpc.profile

import java.util.concurrent.TimeUnit.NANOSECONDS

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.storage.hpc.channel.DriverChannel

/** Sends this executor's [[ExecutorFigures]] to the driver: often when it is young, then each time that its age has grown
  * by a twentieth. So an executor of a day sends fewer than 200, and the last ones miss at most a twentieth of its life.
  *
  * @param increments further figures, since its last call
  */
private[spark] final class FigureReports(
    context: PluginContext,
    increments: () => Map[String, Double]
) {
  private val begun = System.nanoTime()

  private val thread =
    new Repeated("spark-hpc-figures", "this executor's figures", () => pauseMillis)(
      context.send(figures())
    )

  def start(): Unit = thread.start()

  def stop(): Unit = thread.stop()

  private def pauseMillis: Long =
    math.max(FigureReports.LeastMillis, NANOSECONDS.toMillis(System.nanoTime() - begun) / 20)

  private def figures(): ExecutorFigures = {
    val env = SparkEnv.get
    val ours = env.metricsSystem.getSourcesByName("hpc").map(source =>
      RegistryFigures.of(source.metricRegistry)
    )
    val all = ours.foldLeft(ProcessFigures.now())(_ ++ _).filter(_._2 != 0)
    ExecutorFigures(
      System.currentTimeMillis(),
      context.executorID(),
      env.blockManager.blockManagerId.host,
      all ++ increments()
    )
  }
}

private[spark] object FigureReports {
  private val LeastMillis = 2000L

  /** On the driver: passes executors' figures on to the listeners. */
  def register(channel: DriverChannel, sc: SparkContext): Unit =
    channel.onTell[ExecutorFigures](figures => sc.listenerBus.post(figures))
}
