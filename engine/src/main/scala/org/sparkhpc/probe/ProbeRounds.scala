package org.sparkhpc.probe

import java.util.concurrent.TimeUnit

/** Measures whether two clients of a file system see at once what the other writes to a file that stays open.
  *
  *  1. A read begins after the write that it has to see has ended: the other side said so. So one old byte proves that
  *     the file system isn't coherent, however long anything took.
  *  1. Bytes that are seen prove something only if there was no time for anything else that shows them: a cache that is
  *     written or forgotten after a while. A round that takes longer counts for nothing.
  *
  * @param own this side's file
  * @param others the other side's
  * @param exchange tells the other side that a round was written here. It looks whether that is seen there, writes the
  *   round, and returns whether it was seen
  * @param clock in nanoseconds
  */
final class ProbeRounds(
    own: ProbeFile,
    others: ProbeFile.Reader,
    exchange: Int => Boolean,
    clock: () => Long = () => System.nanoTime()
) {
  import ProbeRounds._

  def run(): Outcome = {
    var counted, round = 0
    var unseen = Option.empty[Outcome]
    var last = clock()
    while (unseen.isEmpty && counted < Needed && round < Most) {
      round += 1
      own.write(round)
      val isSeenThere = exchange(round)
      val isSeenHere = others.sees(round)
      if (!isSeenThere || !isSeenHere) unseen = Some(Unseen(round))
      val now = clock()
      if (now - last <= LongestNanos) counted += 1
      last = now
    }
    unseen.getOrElse {
      if (counted == Needed) Seen
      else Unclear(s"only $counted of $round rounds took at most $LongestMillis ms")
    }
  }
}

object ProbeRounds {

  /** What a measurement found. */
  sealed trait Outcome extends Serializable

  /** Each side saw at once what the other wrote, in all rounds. */
  case object Seen extends Outcome

  /** One side didn't see what the other had written in this round. */
  final case class Unseen(round: Int) extends Outcome

  final case class Unclear(why: String) extends Outcome

  private[probe] val Needed = 10
  private[probe] val Most = 40

  // MooseFS sends what was written after about 100 ms. Names, sizes and data are kept for a second or more by default.
  private[probe] val LongestMillis = 50L
  private val LongestNanos = TimeUnit.MILLISECONDS.toNanos(LongestMillis)
}
