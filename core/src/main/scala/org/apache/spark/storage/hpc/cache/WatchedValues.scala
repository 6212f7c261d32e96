package org.apache.spark.storage.hpc.cache

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.storage.BlockId
import org.apache.spark.storage.memory.hpc.Computations

/** The values that a block is made of, as their RDD computes them; knows whether a failure came
  * from there, how many there were, and what the first were.
  *
  * What the taker does with the values is no part of computing them. It is left out of the block's
  * [[Computations]] at the first values and at the end, so that a block of few values is seen to cost what they
  * do, and not what putting it costs. To look at the clock for each value would take too long.
  *
  * @param most how many of them are kept, for as long as the block is being put
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

  /** Computes them, once for each call. */
  def iterator(): Iterator[T] =
    try {
      first.clear()
      values = 0
      new Watched(compute())
    } catch { case failure: Throwable => failed(failure) }

  /** The first values. */
  def sample: Seq[T] = first

  def dropSample(): Unit = first.clear()

  /** How many there were until now. */
  def count: Long = values

  /** Whether computing the values failed; then putting them again would fail as well. */
  def failed: Boolean = thrown != null

  // Once for each element: no closure.
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
