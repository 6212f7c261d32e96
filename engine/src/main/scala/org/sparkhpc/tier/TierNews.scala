package org.sparkhpc.tier

import java.util.concurrent.ConcurrentHashMap

/** Selects the notices to report, from those of all processes of an application: the first for each tier and
  * event. A thousand executors whose memory tier is full are one line.
  */
final class TierNews {
  private val said = ConcurrentHashMap.newKeySet[(String, TierNotice.Event)]

  /** The line to report for a notice; None if another process had the same one before.
    *
    * @param where the process and its node
    */
  def of(notice: TierNotice, where: String): Option[String] =
    if (said.add((notice.tier, notice.event)))
      Some(s"${notice.text} (on $where; other processes report it in their own logs)")
    else None
}
