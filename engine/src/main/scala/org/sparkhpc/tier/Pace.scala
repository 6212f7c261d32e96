package org.sparkhpc.tier

import java.util.concurrent.TimeUnit

/** Measures how long the last writes to a tier took, and tells whether files should begin in the next tier
  * instead.
  *
  *  1. The time of a write is divided by the number of 64 KiB units that it began, so that small writes compare
  *     by latency and large ones by bandwidth. The measure is the median of the last [[Pace.Window]] writes.
  *  1. A tier is slow if its median is more than [[Pace.FloorNanos]] and more than [[Pace.Factor]] times the next
  *     tier's. If the next tier has too few writes for a median, files begin there until it has one.
  *  1. A slow tier is passed over for a while. Then it is tried again, with no writes counted.
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

  /** The median of the last writes, in nanoseconds; None before there were enough. */
  def median: Option[Long] = synchronized {
    if (count < Window) None else Some(last.sorted.apply(Window / 2))
  }

  /** How often the tier was found slow. */
  def timesPassedOver: Long = synchronized(passedOver)

  /** Whether files begin in the tier of `next` instead.
    *
    * @param found called with both medians when this tier is found slow
    */
  def isPassedOverFor(next: Pace)(found: (Long, Long) => Unit): Boolean = {
    val ofNext = next.median // outside of our lock, so that no thread holds two
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
