package org.apache.spark.storage.hpc.patch

import org.apache.spark.SparkEnv
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.storage.hpc.cache._
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.apache.spark.storage.hpc.scratch.GlobalProof

/** Finds out which executors see the driver's scratch directories, and tells them of each other's cached blocks there. */
private[patch] object SharedScratch {

  /** Sets up the driver's part. Returns the settings with which an executor calls [[begin]]. */
  def register(channel: DriverChannel, env: SparkEnv): Map[String, String] = {
    GlobalProof.register(channel)
    val shared = new ListedSharedBlocks
    ToldSharedBlocks.register(channel, shared)
    val tokens = GlobalProof.tokens(env)
    if (tokens.nonEmpty) cacheOf(env).foreach(_.attach(shared))
    tokens
  }

  /** Starts an executor's part; None if no directory is expected to be shared. */
  def begin(
      context: PluginContext,
      env: SparkEnv,
      tokens: Map[String, String]
  ): Option[GlobalProof] = {
    if (tokens.nonEmpty) cacheOf(env).foreach(_.attach(new ToldSharedBlocks(context)))
    val proof = GlobalProof.of(context, env, tokens)
    proof.foreach(_.start())
    proof
  }

  private def cacheOf(env: SparkEnv): Option[SpillingCache] =
    Option(env.blockManager).flatMap(SpillingCache.of(_))
}
