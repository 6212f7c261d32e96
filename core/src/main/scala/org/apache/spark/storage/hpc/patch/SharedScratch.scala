package org.apache.spark.storage.hpc.patch

import org.apache.spark.SparkEnv
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.shuffle.PlacedOutputs
import org.apache.spark.storage.hpc.cache._
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.apache.spark.storage.hpc.scratch.{
  CoherenceJuries,
  CoherenceProbe,
  GlobalProof,
  HpcDiskBlockManager
}
import org.apache.spark.util.Utils

/** Finds out which executors see the driver's directories on shared file systems, and whether they see at once what
  * others write there. Tells executors of each other's cached blocks there.
  */
private[patch] object SharedScratch {
  private val MeasuredPrefix = "measured "

  /** Sets up the driver's part. Returns the settings with which an executor calls [[begin]]. */
  def register(channel: DriverChannel, env: SparkEnv): Map[String, String] = {
    GlobalProof.register(channel)
    val shared = new ListedSharedBlocks
    ToldSharedBlocks.register(channel, shared)
    val tokens = GlobalProof.tokens(env)
    if (tokens.nonEmpty) cacheOf(env).foreach(_.attach(shared))
    val measured = for (disk <- diskOf(env).toSeq; directory <- registered(channel, env, disk))
      yield s"$MeasuredPrefix$directory" -> directory
    tokens ++ measured
  }

  private def registered(
      channel: DriverChannel,
      env: SparkEnv,
      disk: HpcDiskBlockManager
  ): Seq[String] = {
    val ofShuffle = PlacedOutputs.of(env.shuffleManager).flatMap(_.directory)
    val all = disk.sharedTiers.map(_.directory) ++ ofShuffle.map(_.toFile)
    val juries = new CoherenceJuries(all, disk.coherences)
    juries.register(channel)
    juries.measured
  }

  /** Starts an executor's part, in the background. Closing the result ends it. */
  def begin(
      context: PluginContext,
      env: SparkEnv,
      settings: Map[String, String]
  ): AutoCloseable = {
    val (measured, tokens) = settings.partition(_._1.startsWith(MeasuredPrefix))
    if (tokens.nonEmpty) cacheOf(env).foreach(_.attach(new ToldSharedBlocks(context)))
    val proof = GlobalProof.of(context, env, tokens)
    val probe = diskOf(env).filter(_ => measured.nonEmpty).map { disk =>
      val where = s"executor ${context.executorID()}, ${Utils.localHostName()}"
      new CoherenceProbe(measured.values.toSeq, disk.coherences, context.ask, where)
    }
    proof.foreach(_.start())
    probe.foreach(_.start())
    () => {
      proof.foreach(_.stop())
      probe.foreach(_.stop())
    }
  }

  private def cacheOf(env: SparkEnv): Option[SpillingCache] =
    Option(env.blockManager).flatMap(SpillingCache.of(_))

  private def diskOf(env: SparkEnv): Option[HpcDiskBlockManager] =
    Option(env.blockManager).flatMap(its => HpcDiskBlockManager.of(its.diskBlockManager))
}
