package org.sparkhpc.retain

import java.util.concurrent.{ConcurrentHashMap, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

/** Tells which RDDs' blocks may be spilled, from the spills that failed. All methods are thread-safe.
  *
  * An RDD whose elements don't survive a spill is never spilled again. When the disk fails, nothing is spilled
  * for 30 seconds: it may be full, and is tried again after that.
  */
final class SpillRules(now: () => Long = () => System.nanoTime()) {
  private val refused = ConcurrentHashMap.newKeySet[Int]()
  private val pausedUntil = new AtomicLong(now())

  def maySpill(rdd: Int): Boolean = !refused.contains(rdd) && !isPaused

  def isPaused: Boolean = now() - pausedUntil.get < 0

  /** Stops all spills of the RDD. True the first time only. */
  def refuse(rdd: Int): Boolean = refused.add(rdd)

  /** Pauses all spills. True if they weren't paused already. */
  def pause(): Boolean = {
    val from = now()
    val before = pausedUntil.getAndSet(from + SpillRules.PauseNanos)
    from - before >= 0
  }

  /** Forgets an RDD that is gone; its id isn't used again. */
  def forget(rdd: Int): Unit = refused.remove(rdd)
}

object SpillRules {
  val PauseSeconds: Long = 30
  private val PauseNanos = TimeUnit.SECONDS.toNanos(PauseSeconds)
}
