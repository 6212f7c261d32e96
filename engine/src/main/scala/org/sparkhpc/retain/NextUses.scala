package org.sparkhpc.retain

import java.util.{Arrays, Comparator, TreeSet}

import com.google.common.collect.Iterators

/** Blocks in memory, in the order of their next use, as far as that is predicted.
  *
  * A block without a prediction is expected after as much time as has passed since its last use, so that these blocks
  * are in the order of last use. Not thread-safe.
  */
private[retain] final class NextUses[K] {
  import NextUses._

  private val predicted = new TreeSet[Known[K]](
    Comparator.comparingDouble[Known[K]](known => -known.next).thenComparingLong(_.touched)
  )
  private val others =
    new TreeSet[Known[K]](Comparator.comparingLong[Known[K]](_.touched))

  private def placeOf(known: Known[K]) = if (known.next.isNaN) others else predicted

  /** Adds a block that isn't in the order, by its `next`: NaN without a prediction. */
  def add(known: Known[K]): Unit = placeOf(known).add(known): Unit

  def remove(known: Known[K]): Unit = placeOf(known).remove(known): Unit

  def clear(): Unit = {
    predicted.clear()
    others.clear()
  }

  /** Forgets predictions that did not come true in twice the time. */
  def passed(now: Long): Unit =
    while (!predicted.isEmpty && isOverdue(predicted.last, now)) {
      val known = predicted.pollLast()
      known.next = Double.NaN
      others.add(known)
    }

  private def isOverdue(known: Known[K], now: Long): Boolean =
    now - known.next > Patience + (known.next - known.last)

  /** Passes the blocks to `more`, the one that is used last first, until it returns false. */
  def walk(now: Long)(more: K => Boolean): Unit = {
    val lastFirst = Comparator.comparingDouble[Known[K]](known => -next(known, now))
    val all =
      Iterators.mergeSorted(Arrays.asList(predicted.iterator, others.iterator), lastFirst)
    while (all.hasNext && more(all.next().block)) {}
  }

  /** When a block in memory is used next. */
  def next(known: Known[K], now: Long): Double =
    if (known.next.isNaN) 2.0 * now - known.last else known.next
}

private object NextUses {

  /** So many requests more than expected are no reason to forget a prediction. */
  private val Patience = 16.0
}
