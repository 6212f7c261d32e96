package org.sparkhpc.probe

import java.util.concurrent.TimeUnit

import scala.collection.mutable

/** Decides, on the driver, which clients of a file system measure it against the driver's, and what all are told.
  *
  *  1. The driver's own client never measures: both sides would read one cache.
  *  1. However many executors there are, they measure at most nine times, and three at a time. A client whose outcome was
  *     unclear may measure again.
  *  1. If one client saw that the file system isn't coherent, it isn't. It is taken for coherent if at least one client
  *     saw that, and none still measures.
  *
  * @param own the driver's client
  * @param clock in nanoseconds
  */
final class ProbeJury(own: String, clock: () => Long = () => System.nanoTime()) {
  import ProbeJury._

  private var begun = 0
  // Since when.
  private val measuring = mutable.Map.empty[String, Long]
  private var isSeen, isUnseen = false

  /** What a client has to do now. */
  def ask(client: String): Answer = synchronized {
    // An executor that was lost while it measured tells nothing any more.
    measuring.filter(clock() - _._2 > LongestNanos).keys.foreach(measuring.remove)
    if (isUnseen) Told(sawAtOnce = false)
    else if (isSeen && measuring.isEmpty) Told(sawAtOnce = true)
    else if (isSeen || !mayMeasure(client)) Wait
    else {
      begun += 1
      measuring(client) = clock()
      Measure
    }
  }

  private def mayMeasure(client: String): Boolean =
    client != own && !measuring.contains(client) && begun < Most && measuring.size < MostAtOnce

  /** Takes the outcome of a client's measurement. True if it is the first that decides. */
  def hear(client: String, outcome: ProbeRounds.Outcome): Boolean = synchronized {
    val before = (isSeen, isUnseen)
    measuring -= client
    outcome match {
      case ProbeRounds.Seen => isSeen = true
      case ProbeRounds.Unseen(_) => isUnseen = true
      case ProbeRounds.Unclear(_) =>
    }
    before != ((isSeen, isUnseen))
  }
}

object ProbeJury {
  sealed trait Answer extends Serializable

  /** Nothing is known yet: ask again. */
  case object Wait extends Answer

  /** This client measures. */
  case object Measure extends Answer

  /** @param sawAtOnce whether clients saw at once what others wrote */
  final case class Told(sawAtOnce: Boolean) extends Answer

  private[probe] val Most = 9
  private[probe] val MostAtOnce = 3
  private[probe] val LongestNanos: Long = TimeUnit.SECONDS.toNanos(20)
}
