package org.sparkhpc.tier

import java.util.concurrent.ConcurrentHashMap

/** Of the notices of all processes of an application, the first of each kind of each tier: a thousand executors
  * whose memory tier is full are one line.
  */
final class TierNews {
  private val said = ConcurrentHashMap.newKeySet[(String, TierNotice.Event)]

  /** What is to be said of a notice, if anything.
    *
    * @param where the process and its node
    */
  def of(notice: TierNotice, where: String): Option[String] =
    if (said.add((notice.tier, notice.event)))
      Some(s"${notice.text} (on $where; what others say of the same is in their logs)")
    else None
}
