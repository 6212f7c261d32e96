package org.apache.spark.storage.hpc.cache

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.storage.BlockId
import org.apache.spark.storage.memory.hpc.Computations

/** The values of a block, as the RDD computes them. Records whether computing them failed, how many there were, and the
  * first of them.
  *
  * What the consumer does with a value is not part of the computation. For the first values, and after the last, that
  * time is excluded from the block's [[Computations]], so that the cost of a block of few values does not contain the
  * cost of putting it. Reading the clock for each value would take too long.
  *
  * @param most how many values are kept while the block is being put
  */
private[storage] final class WatchedValues[T](
    block: BlockId,
    most: Int,
    compute: () => Iterator[T]
) {
  import WatchedValues._

  private var thrown: Throwable = _
  private val first = new ArrayBuffer[T]
  private var values = 0L

  /** Computes the values, anew for each call. */
  def iterator(): Iterator[T] =
    try {
      first.clear()
      values = 0
      new Watched(compute())
    } catch { case failure: Throwable => failed(failure) }

  /** The first values. */
  def sample: Seq[T] = first

  def dropSample(): Unit = first.clear()

  /** The number of values until now. */
  def count: Long = values

  /** Whether computing the values failed; then putting them again would fail as well. */
  def failed: Boolean = thrown != null

  // Called for each element, so it uses no closures.
  private final class Watched(computed: Iterator[T]) extends Iterator[T] {
    private var takenAt = 0L
    private var isOver = false

    override def hasNext: Boolean = {
      if (takenAt != 0) {
        Computations.exclude(block, System.nanoTime() - takenAt)
        takenAt = 0
      }
      val more =
        try computed.hasNext
        catch { case failure: Throwable => failed(failure) }
      if (!more && !isOver) {
        isOver = true
        Computations.isWhole(block)
      }
      more
    }

    override def next(): T = {
      val value =
        try computed.next()
        catch { case failure: Throwable => failed(failure) }
      if (values < most) first += value
      values += 1
      if (values <= MostTimed) takenAt = System.nanoTime()
      value
    }
  }

  private def failed(failure: Throwable): Nothing = {
    thrown = failure
    throw failure
  }
}

private object WatchedValues {
  private val MostTimed = 64
}
