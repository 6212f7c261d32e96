package org.apache.spark.storage.hpc.patch

import java.util.{Map => JMap}

import scala.collection.JavaConverters._

import org.apache.spark.{LastWords, SparkContext, SparkEnv, TaskContext}
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, PluginContext, SparkPlugin}
import org.apache.spark.executor.ProcfsMetricsGetter
import org.apache.spark.hpc.Build
import org.apache.spark.hpc.profile.Profiling
import org.apache.spark.internal.config.Hpc
import org.apache.spark.shuffle.PlacedOutputs
import org.apache.spark.storage.hpc.cache.{PendingReadsAsker, PendingReadsListener, SpillingCache}
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.apache.spark.storage.hpc.scratch.{ScratchFailures, ToldNotices}

/** Sets up the messages between the driver and its executors when these start.
  *
  * An executor without Spark-HPC, or with another version, never runs a task ([[SameBuild]]).
  */
class HpcPlugin extends SparkPlugin {
  import HpcPlugin._

  override def driverPlugin(): DriverPlugin = new DriverPlugin {
    private val channel = new DriverChannel

    override def init(sc: SparkContext, context: PluginContext): JMap[String, String] = {
      // A context has started, so an earlier refusal must not be the last line.
      LastWords.forget()
      sc.addSparkListener(new UnlikeExecutors(sc))
      sc.addSparkListener(new ScratchFailures(sc.conf.get(Hpc.SHUFFLE_PLACEMENT) == "global"))
      ToldNotices.register(channel, sc.env)
      PendingReadsListener.register(channel, sc)
      PlacedOutputs.register(channel, sc.env)
      Profiling.register(channel, sc)
      (SharedScratch.register(channel, sc.env) + (VersionKey -> Build.current.version)).asJava
    }

    override def receive(message: Any): AnyRef = channel.receive(message)
  }

  override def executorPlugin(): ExecutorPlugin = new ExecutorPlugin {
    private var asker: Option[PendingReadsAsker] = None
    private var scratch: Option[AutoCloseable] = None
    private var profiling: Option[Profiling] = None

    override def init(context: PluginContext, fromDriver: JMap[String, String]): Unit = {
      val env = SparkEnv.get
      // In local mode there is only one process, whose list of settings does not have the version.
      val isRemote = context.executorID() != SparkContext.DRIVER_IDENTIFIER
      if (isRemote) SameBuild.require(fromDriver.get(VersionKey), context.executorID())
      // Otherwise the first heartbeat would start a child process for these metrics, which closes inherited files
      // before it runs. If scratch storage hangs, the heartbeat would wait, and the driver would give the executor up.
      ProcfsMetricsGetter.pTreeInfo.computeAllMetrics()
      val cache = Option(env.blockManager).flatMap(SpillingCache.of(_))
      asker = cache.map(_.policy).filter(_.wantsReferences).map(new PendingReadsAsker(context, _))
      PlacedOutputs.tellDriver(context, env)
      if (isRemote) {
        ToldNotices.tellDriver(context, env)
        scratch = Some(SharedScratch.begin(context, env, fromDriver.asScala.toMap - VersionKey))
      }
      profiling =
        Profiling.start(context, () => cache.fold(Map.empty[String, Double])(_.takeRddFigures()))
    }

    override def onTaskStart(): Unit = {
      asker.foreach(_.stageBegan(TaskContext.get.stageId))
      profiling.foreach(_.taskBegan())
    }

    override def shutdown(): Unit = {
      asker.foreach(_.stop())
      scratch.foreach(_.close())
      profiling.foreach(_.stop())
    }
  }
}

private object HpcPlugin {
  private val VersionKey = "version"
}
