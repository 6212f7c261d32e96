package org.apache.spark.storage.hpc.patch

import java.util.{Map => JMap}

import scala.collection.JavaConverters._
import scala.util.Try

import org.apache.spark.{
  HpcConf,
  LastWords,
  MapOutputTrackerMaster,
  SparkConf,
  SparkContext,
  SparkEnv
}
import org.apache.spark.{SparkException, TaskContext}
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, PluginContext, SparkPlugin}
import org.apache.spark.executor.ProcfsMetricsGetter
import org.apache.spark.hpc.Build
import org.apache.spark.internal.config.{Hpc, PLUGINS}
import org.apache.spark.internal.plugin.PluginContainer
import org.apache.spark.shuffle.{MovedOutput, MovedOutputs, PlacedOutputs}
import org.apache.spark.storage.BlockId
import org.apache.spark.storage.hpc.cache.{
  ListedSharedBlocks,
  PendingReadsAsker,
  PendingReadsListener,
  PendingReadsQuestion,
  ToldSharedBlocks
}
import org.apache.spark.storage.hpc.scratch.{
  GlobalProof,
  HpcDiskBlockManager,
  ScratchFailures,
  TierNotices,
  TokenQuestion,
  ToldNews,
  ToldNotice
}
import org.apache.spark.util.Utils
import org.sparkhpc.retain.{PendingReads, RetentionPolicy}
import org.sparkhpc.tier.TierNotice

/** Keeps driver and executors on the same Spark-HPC: an executor without it, or with another
  * version, never runs a task. It also carries what executors ask the driver.
  *
  * The driver's block manager adds it to `spark.plugins`. An executor of a stock Spark doesn't know
  * the class and fails before its first task; [[UnlikeExecutors]] then says so on the driver.
  */
class HpcPlugin extends SparkPlugin {
  import HpcPlugin._

  override def driverPlugin(): DriverPlugin = new DriverPlugin {
    private val pending = new PendingReads
    private val shared = new ListedSharedBlocks
    private val news = new ToldNews

    override def init(sc: SparkContext, context: PluginContext): JMap[String, String] = {
      // Whatever was refused before, a context has started.
      LastWords.forget()
      sc.addSparkListener(new UnlikeExecutors(sc))
      sc.addSparkListener(new ScratchFailures(sc.conf.get(Hpc.SHUFFLE_PLACEMENT) == "global"))
      // The driver's own are on its console already.
      noticesOf(sc.env).foreach(_.listen(_ => ()))
      if (policyOf(sc.env).exists(_.wantsReferences))
        sc.addSparkListener(new PendingReadsListener(pending))
      val tokens = GlobalProof.tokens(sc.env)
      if (tokens.nonEmpty) managerOf(sc.env).foreach(_.shared = Some(shared))
      (tokens + (VersionKey -> Build.current.version)).asJava
    }

    override def receive(message: Any): AnyRef = message match {
      case PendingReadsQuestion => pending.counts
      case question: TokenQuestion => Boolean.box(question.isAnswered)
      case told: ToldNotice =>
        news.say(told.notice, told.where)
        null
      case message: ToldSharedBlocks.Message => ToldSharedBlocks.receive(message, shared)
      case moved: MovedOutputs =>
        val tracker = SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
        PlacedOutputs.of(SparkEnv.get.shuffleManager).fold(moved.outputs)(_.moved(moved, tracker))
    }
  }

  override def executorPlugin(): ExecutorPlugin = new ExecutorPlugin {
    private var asker: Option[PendingReadsAsker] = None
    private var proof: Option[GlobalProof] = None

    override def init(context: PluginContext, fromDriver: JMap[String, String]): Unit = {
      // In local mode there is one Spark only, and what we tell isn't in its list of settings.
      if (context.executorID() != SparkContext.DRIVER_IDENTIFIER)
        requireSame(fromDriver.get(VersionKey), context.executorID())
      // Otherwise the first heartbeat starts a process for it, which closes our files before it runs:
      // it would wait for scratch that stands still, and the executor would be given up.
      ProcfsMetricsGetter.pTreeInfo.computeAllMetrics()
      asker =
        policyOf(SparkEnv.get).filter(_.wantsReferences).map(new PendingReadsAsker(context, _))
      for (placed <- PlacedOutputs.of(SparkEnv.get.shuffleManager))
        placed.tellDriver = context.ask(_).asInstanceOf[Seq[MovedOutput]]
      val tokens = fromDriver.asScala.toMap - VersionKey
      if (context.executorID() != SparkContext.DRIVER_IDENTIFIER) {
        // Not the context's host name: an executor's is taken from an address that it hasn't got.
        val where = s"executor ${context.executorID()}, ${Utils.localHostName()}"
        noticesOf(SparkEnv.get).foreach(_.listen(tell(context, where)))
        if (tokens.nonEmpty)
          managerOf(SparkEnv.get).foreach(_.shared = Some(new ToldSharedBlocks(context)))
        val tiers = GlobalProof.sharedTiers(SparkEnv.get)
        def ask(question: TokenQuestion) = context.ask(question).asInstanceOf[Boolean]
        if (tiers.nonEmpty) proof = Some(new GlobalProof(tiers, tokens, ask(_)))
      }
      proof.foreach(_.start())
    }

    /** Not when the driver can't be reached any more. */
    private def tell(context: PluginContext, where: String)(notice: TierNotice): Unit =
      Try(context.send(ToldNotice(notice, where))): Unit

    override def onTaskStart(): Unit = asker.foreach(_.stageBegan(TaskContext.get.stageId))

    override def shutdown(): Unit = {
      asker.foreach(_.stop())
      proof.foreach(_.stop())
    }
  }
}

private[spark] object HpcPlugin {
  private val VersionKey = "version"
  private val Name = classOf[HpcPlugin].getName

  /** Begins the keys under which Spark has executors told what our part on the driver says. */
  val Passed: String = s"${PluginContainer.EXTRA_CONF_PREFIX}$Name."

  /** Begins each message about a driver and an executor that differ. */
  val Mismatch = "Spark-HPC mismatch"

  /** Makes every executor of this application load the plugin. */
  def addTo(conf: SparkConf): Unit =
    if (!isIn(conf)) HpcConf.setOwn(conf, PLUGINS.key, (conf.get(PLUGINS) :+ Name).mkString(","))

  /** Refuses to start an executor of ours under a driver that is none. */
  def requireDriver(conf: SparkConf, executorId: String): Unit =
    if (!isIn(conf)) {
      throw new SparkException(
        s"$Mismatch: executor $executorId has Spark-HPC ${Build.current.version}, its driver has " +
          s"none. $Remedy"
      )
    }

  private[storage] def requireSame(driver: String, executorId: String): Unit = {
    val ours = Build.current.version
    if (driver != ours) {
      throw new SparkException(
        s"$Mismatch: executor $executorId has Spark-HPC $ours, its driver has $driver. $Remedy"
      )
    }
  }

  /** What the reason for an executor's loss says of a mismatch, if it does. */
  private[storage] def mismatchIn(executorId: String, reason: String): Option[String] =
    if (reason.contains(Mismatch)) {
      Some(reason.substring(reason.indexOf(Mismatch)))
    } else if (reason.contains(Name)) {
      Some(
        s"$Mismatch: the driver has Spark-HPC ${Build.current.version}, executor $executorId has " +
          s"none. $Remedy"
      )
    } else {
      None
    }

  private def managerOf(env: SparkEnv): Option[HpcBlockManager] =
    Option(env.blockManager).collect { case manager: HpcBlockManager => manager }

  private def noticesOf(env: SparkEnv): Option[TierNotices] =
    managerOf(env).flatMap(its => HpcDiskBlockManager.of(its.diskBlockManager)).map(_.notices)

  private def policyOf(env: SparkEnv): Option[RetentionPolicy[BlockId]] =
    managerOf(env).map(_.policy)

  private def isIn(conf: SparkConf): Boolean = conf.get(PLUGINS).contains(Name)

  private val Remedy =
    "Start driver and workers from the same Spark-HPC, or give both spark.driver.extraJavaOptions " +
      "and spark.executor.extraJavaOptions the same -javaagent."
}
