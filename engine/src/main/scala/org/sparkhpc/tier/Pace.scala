package org.sparkhpc.tier

import java.util.concurrent.TimeUnit

/** How long the last writes to a tier took, and whether files had better begin in the next one.
  *
  *  1. A write counts per 64 KiB that it began, so that small ones compare by latency and large ones
  *     by bandwidth. What counts is the median of the last [[Pace.Window]].
  *  1. A tier is slow if that is more than [[Pace.FloorNanos]] and more than [[Pace.Factor]] times the
  *     next tier's. A next tier without so many writes is looked at: files begin there until it has.
  *  1. A slow tier is passed over for a while. Then it is tried again, as one that nobody knows.
  */
final class Pace(now: () => Long = () => System.nanoTime()) {
  import Pace._

  private val last = new Array[Long](Window)
  private var count = 0
  private var passedOver = 0L
  private var passedOverAt = 0L
  private var isPassedOver = false

  def wrote(bytes: Long, nanos: Long): Unit = synchronized {
    last(count % Window) = nanos / math.max(1, (bytes + UnitBytes - 1) / UnitBytes)
    count = if (count + 1 == 2 * Window) Window else count + 1
  }

  /** Of the last writes, in nanoseconds; None before there were enough. */
  def median: Option[Long] = synchronized {
    if (count < Window) None else Some(last.sorted.apply(Window / 2))
  }

  /** How often it was found slow. */
  def timesPassedOver: Long = synchronized(passedOver)

  /** Whether files begin in the tier of `next` instead.
    *
    * @param found told of both medians when this one is found slow
    */
  def isPassedOverFor(next: Pace)(found: (Long, Long) => Unit): Boolean = {
    val ofNext = next.median // outside of our lock: no thread holds two
    val medians = synchronized {
      if (isPassedOver && now() - passedOverAt >= PassedOverNanos) {
        isPassedOver = false
        count = 0
      }
      val slow = median.filter(ours => ours > FloorNanos && ofNext.forall(ours / Factor > _))
      val medians = slow.flatMap(ours => ofNext.map(ours -> _)).filter(_ => !isPassedOver)
      if (medians.nonEmpty) {
        isPassedOver = true
        passedOverAt = now()
        passedOver += 1
      }
      if (isPassedOver || slow.nonEmpty) Some(medians) else None
    }
    medians.flatten.foreach(found.tupled)
    medians.nonEmpty
  }
}

object Pace {
  val Window = 64
  val Factor = 4L
  val FloorNanos: Long = TimeUnit.MILLISECONDS.toNanos(1)
  val PassedOverSeconds = 30L

  private val PassedOverNanos = TimeUnit.SECONDS.toNanos(PassedOverSeconds)
  private val UnitBytes = 64L << 10
}
