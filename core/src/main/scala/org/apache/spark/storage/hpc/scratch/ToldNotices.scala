package org.apache.spark.storage.hpc.scratch

import scala.util.Try

import org.apache.spark.SparkEnv
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.Logging
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.apache.spark.util.Utils
import org.sparkhpc.tier.{TierNews, TierNotice}

/** Carries executors' notices of their tiers to the driver's log. */
private[storage] object ToldNotices extends Logging {

  /** An executor's message to the driver. */
  private final case class Told(notice: TierNotice, where: String)

  /** The driver's part: logs each kind of notice of each tier once. */
  def register(channel: DriverChannel, env: SparkEnv): Unit = {
    val news = new TierNews
    // The driver has logged its own notices already.
    of(env).foreach(_.listen(_ => ()))
    channel.onTell[Told](told => news.of(told.notice, told.where).foreach(logWarning(_)))
  }

  /** The executor's part: sends notices to the driver, unless the driver cannot be reached any more. */
  def tellDriver(context: PluginContext, env: SparkEnv): Unit = {
    // Not the context's host name: on an executor, it comes from an address that the executor does not have.
    val where = s"executor ${context.executorID()}, ${Utils.localHostName()}"
    of(env).foreach(_.listen(notice => Try(context.send(Told(notice, where))): Unit))
  }

  private def of(env: SparkEnv): Option[TierNotices] =
    Option(env.blockManager).flatMap(its => HpcDiskBlockManager.of(its.diskBlockManager)).map(
      _.notices
    )
}
