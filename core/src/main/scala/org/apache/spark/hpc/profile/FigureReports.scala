package org.apache.spark.hpc.profile

import java.util.concurrent.TimeUnit.NANOSECONDS

import scala.util.control.NonFatal

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.scheduler.SparkListenerEvent
import org.apache.spark.storage.hpc.channel.DriverChannel

/** Sends this executor's [[ExecutorFigures]] to the driver: often when it is young, then each time that its age has grown
  * by a twentieth. So the event log has fewer than 200 of an executor of a day, and the last ones miss at most a twentieth
  * of its life. In between it sends [[LiveFigures]], at least each 15 seconds. All pauses grow with the number of
  * executors, so that the driver gets at most 50 events a second.
  *
  * @param increments further figures, since its last call
  */
private[spark] final class FigureReports(
    context: PluginContext,
    increments: () => Map[String, Double]
) {
  private val begun = System.nanoTime()
  private var kept = begun
  private var executors = 1
  private val lustre = new LustreFigures(LustreFigures.OfNode)

  private val thread =
    new Repeated("spark-hpc-figures", "this executor's figures", () => pauseMillis)(send())

  def start(): Unit = thread.start()

  def stop(): Unit = thread.stop()

  private def pauseMillis: Long =
    FigureReports.pauseMillis(System.nanoTime() - begun, executors)

  private def send(): Unit = {
    val now = System.nanoTime()
    if (NANOSECONDS.toMillis(now - kept) >= FigureReports.keptMillis(kept - begun, executors)) {
      kept = now
      val its = figures()
      tell(its.copy(figures = its.figures ++ increments()))
    } else {
      tell(LiveFigures(figures()))
    }
  }

  /** Sends figures. The driver answers with the number of executors. */
  private def tell(message: AnyRef): Unit =
    executors = FigureReports.answered(executors)(context.ask(message).asInstanceOf[Int])

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
  private val LiveMillis = 15000L
  private val MillisOfExecutor = 20L
  private val MostExecutors = 1 << 20

  /** The pause between two events that the event log keeps, when the executor has this age. */
  private[profile] def keptMillis(ageNanos: Long, executors: Int): Long =
    Seq(LeastMillis, MillisOfExecutor * executors, NANOSECONDS.toMillis(ageNanos) / 20).max

  /** The pause between two events of any kind. */
  private[profile] def pauseMillis(ageNanos: Long, executors: Int): Long =
    math.min(
      math.max(LiveMillis, MillisOfExecutor * executors),
      keptMillis(ageNanos, executors)
    )

  /** The number of executors by the driver's answer. Without an answer it seems to have too many, or it ends, and this
    * process with it: neither is worth a line in each executor's log.
    */
  private[profile] def answered(before: Int)(answer: => Int): Int =
    try answer
    catch { case NonFatal(_) => math.min(2 * math.max(1, before), MostExecutors) }

  /** On the driver: passes executors' figures on to the listeners. */
  def register(channel: DriverChannel, sc: SparkContext): Unit = {
    val executors = new ExecutorCount
    sc.addSparkListener(executors)
    channel.onAsk[ExecutorFigures](pass(_))
    channel.onAsk[LiveFigures](pass(_))
    def pass(event: SparkListenerEvent): Int = {
      sc.listenerBus.post(event)
      executors.now
    }
  }
}
