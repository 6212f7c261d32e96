package org.apache.spark.storage.hpc.scratch

import org.apache.spark.internal.Logging
import org.sparkhpc.tier.TierNotice

/** Logs the notices of this process's tiers, and passes them to a listener, together with earlier ones. */
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
