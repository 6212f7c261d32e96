package org.apache.spark.storage.hpc.scratch

import org.apache.spark.internal.Logging
import org.sparkhpc.tier.{TierNews, TierNotice}

/** The notices of this process's tiers: to its own log, and to whoever listens, with those that came before. */
private[storage] final class TierNotices extends Logging {
  private var listener: Option[TierNotice => Unit] = None
  private var early = Vector.empty[TierNotice]

  def tell(notice: TierNotice): Unit = {
    logWarning(notice.text)
    val listening = synchronized {
      if (listener.isEmpty) early :+= notice
      listener
    }
    listening.foreach(_(notice))
  }

  def listen(listener: TierNotice => Unit): Unit = {
    val before = synchronized {
      this.listener = Some(listener)
      try early
      finally early = Vector.empty
    }
    before.foreach(listener)
  }
}

/** What an executor tells the driver. */
private[storage] final case class ToldNotice(notice: TierNotice, where: String)

/** On the driver's console, each kind of news of each tier once. */
private[storage] final class ToldNews extends Logging {
  private val news = new TierNews

  def say(notice: TierNotice, where: String): Unit = news.of(notice, where).foreach(logWarning(_))
}
