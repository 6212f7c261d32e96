package org.apache.spark.hpc.profile

import java.util.concurrent.TimeUnit.NANOSECONDS

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.storage.hpc.channel.DriverChannel

/** Sends this executor's [[ExecutorFigures]] to the driver: often when it is young, then each time that its age has grown
  * by a twentieth. So the event log has fewer than 200 of an executor of a day, and the last ones miss at most a twentieth
  * of its life. In between it sends [[LiveFigures]], at least each 15 seconds.
  *
  * @param increments further figures, since its last call
  */
private[spark] final class FigureReports(
    context: PluginContext,
    increments: () => Map[String, Double]
) {
  private val begun = System.nanoTime()
  private var kept = begun
  private val lustre = new LustreFigures(LustreFigures.OfNode)

  private val thread =
    new Repeated("spark-hpc-figures", "this executor's figures", () => pauseMillis)(send())

  def start(): Unit = thread.start()

  def stop(): Unit = thread.stop()

  private def pauseMillis: Long =
    math.min(FigureReports.MostMillis, FigureReports.keptMillis(System.nanoTime() - begun))

  private def send(): Unit = {
    val now = System.nanoTime()
    if (NANOSECONDS.toMillis(now - kept) >= FigureReports.keptMillis(kept - begun)) {
      kept = now
      val its = figures()
      context.send(its.copy(figures = its.figures ++ increments()))
    } else {
      context.send(LiveFigures(figures()))
    }
  }

  private def figures(): ExecutorFigures = {
    val env = SparkEnv.get
    val ours = env.metricsSystem.getSourcesByName("hpc").map(source =>
      RegistryFigures.of(source.metricRegistry)
    )
    val all = ours.foldLeft(ProcessFigures.now() ++ lustre.now())(_ ++ _).filter(_._2 != 0)
    ExecutorFigures(
      System.currentTimeMillis(),
      context.executorID(),
      env.blockManager.blockManagerId.host,
      all
    )
  }
}

private[spark] object FigureReports {
  private val LeastMillis = 2000L
  private val MostMillis = 15000L

  /** The pause between two events that the event log keeps, when the executor has this age. */
  private[profile] def keptMillis(ageNanos: Long): Long =
    math.max(LeastMillis, NANOSECONDS.toMillis(ageNanos) / 20)

  /** On the driver: passes executors' figures on to the listeners. */
  def register(channel: DriverChannel, sc: SparkContext): Unit = {
    channel.onTell[ExecutorFigures](sc.listenerBus.post(_))
    channel.onTell[LiveFigures](sc.listenerBus.post(_))
  }
}
