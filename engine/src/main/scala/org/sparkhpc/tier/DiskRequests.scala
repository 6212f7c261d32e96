package org.sparkhpc.tier

import java.lang.{Long => JLong}
import java.util.concurrent.{ConcurrentHashMap, TimeUnit}
import java.util.concurrent.atomic.AtomicBoolean

import scala.collection.JavaConverters._

/** Tracks the requests to a disk that are under way, and tells whether the disk hangs: whether one of them has
  * waited for [[DiskRequests.StallSeconds]] seconds.
  *
  * A large file isn't one long request: each of its writes is a request. All methods are thread-safe.
  */
final class DiskRequests(now: () => Long = () => System.nanoTime()) {
  import DiskRequests._

  // A thread waits for one request at a time.
  private val begun = new ConcurrentHashMap[Thread, JLong]
  private val isKnown = new AtomicBoolean

  @volatile private var listener = Option.empty[StallListener]

  /** Sets the listener. The thread that sees a stall first tells it. */
  def attach(listener: StallListener): Unit = this.listener = Some(listener)

  /** Whether the disk hangs, so that no other thread should make a request now. */
  def isStalled: Boolean = !begun.isEmpty && {
    val stalled = isAnyLate
    if (stalled && isKnown.compareAndSet(false, true)) listener.foreach(_.stalled())
    stalled
  }

  private def isAnyLate: Boolean = {
    val latest = now() - StallNanos
    begun.values.asScala.exists(_ - latest < 0)
  }

  /** The number of requests under way. */
  def underWay: Int = begun.size

  /** Makes a request in this thread. */
  def during[A](request: => A): A = {
    val thread = Thread.currentThread
    val isOuter = begun.putIfAbsent(thread, now()) == null
    try request
    finally if (isOuter) ended(thread)
  }

  /** Does work within a request that doesn't use the disk; its time doesn't count. */
  def except[A](work: => A): A = {
    val thread = Thread.currentThread
    ended(thread)
    try work
    finally begun.put(thread, now()): Unit
  }

  private def ended(thread: Thread): Unit = {
    begun.remove(thread)
    if (isKnown.get && !isAnyLate && isKnown.compareAndSet(true, false))
      listener.foreach(_.answered())
  }
}

object DiskRequests {
  val StallSeconds = 5L

  /** Longer than any latency that we measured, shorter than a heartbeat's timeout. */
  val StallNanos: Long = TimeUnit.SECONDS.toNanos(StallSeconds)
}
