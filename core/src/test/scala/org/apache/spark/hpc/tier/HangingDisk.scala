package org.apache.spark.hpc.tier

import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}

import com.google.common.util.concurrent.Uninterruptibles

/** A disk that answers when it is told so, and a clock. */
final class HangingDisk(most: Int = 4) {
  private val nanos = new AtomicLong(Long.MaxValue - 1000) // it may overflow
  private val gate = new CountDownLatch(1)
  val stalls, ends = new AtomicInteger

  val requests = new DiskRequests(() => nanos.get)
  requests.onStall = () => stalls.incrementAndGet(): Unit
  requests.onAnswer = () => ends.incrementAndGet(): Unit

  val threads = new DiskThreads(requests, most)

  /** A request that takes until it answers, whatever happens. */
  def hang(): Unit = Uninterruptibles.awaitUninterruptibly(gate)

  def answer(): Unit = gate.countDown()

  /** Longer than any request may take. */
  def pass(): Unit = nanos.addAndGet(TimeUnit.SECONDS.toNanos(DiskRequests.StallSeconds + 1)): Unit
}
