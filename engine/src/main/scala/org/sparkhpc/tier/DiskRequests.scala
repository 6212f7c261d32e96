package org.sparkhpc.tier

import java.lang.{Long => JLong}
import java.util.concurrent.{ConcurrentHashMap, TimeUnit}
import java.util.concurrent.atomic.AtomicBoolean

import scala.collection.JavaConverters._

/** Knows which requests to a disk are under way, and whether the disk hangs: whether it has kept one of
  * them waiting for [[DiskRequests.StallSeconds]].
  *
  * A large file isn't a long request: each of its writes is one. All methods are thread-safe.
  */
final class DiskRequests(now: () => Long = () => System.nanoTime()) {
  import DiskRequests._

  // A thread waits for one request at a time.
  private val begun = new ConcurrentHashMap[Thread, JLong]
  private val isKnown = new AtomicBoolean

  /** Told once of each stall, by whoever sees it first. */
  @volatile var onStall: () => Unit = () => ()

  /** Told when a stall of which [[onStall]] was told is over. */
  @volatile var onAnswer: () => Unit = () => ()

  /** Whether nobody else should ask the disk for anything now. */
  def isStalled: Boolean = !begun.isEmpty && {
    val stalled = isAnyLate
    if (stalled && isKnown.compareAndSet(false, true)) onStall()
    stalled
  }

  private def isAnyLate: Boolean = {
    val latest = now() - StallNanos
    begun.values.asScala.exists(_ - latest < 0)
  }

  /** How many there are. */
  def underWay: Int = begun.size

  /** Makes a request in this thread. */
  def during[A](request: => A): A = {
    val thread = Thread.currentThread
    val isOuter = begun.putIfAbsent(thread, now()) == null
    try request
    finally if (isOuter) ended(thread)
  }

  /** In a request: does what asks the disk for nothing. */
  def except[A](work: => A): A = {
    val thread = Thread.currentThread
    ended(thread)
    try work
    finally begun.put(thread, now()): Unit
  }

  private def ended(thread: Thread): Unit = {
    begun.remove(thread)
    if (isKnown.get && !isAnyLate && isKnown.compareAndSet(true, false)) onAnswer()
  }
}

object DiskRequests {
  val StallSeconds = 5L

  /** Longer than any latency that we measured, shorter than a heartbeat's timeout. */
  val StallNanos: Long = TimeUnit.SECONDS.toNanos(StallSeconds)
}
