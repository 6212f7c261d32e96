package org.sparkhpc.retain

import java.util.concurrent.TimeUnit

import com.google.common.cache.CacheBuilder

/** Keeps vain attempts from taking more than a tenth of the time: after one, the next waits for ten times its
  * duration, but at most for a second.
  *
  * All methods are thread-safe. The wait is per key.
  */
final class VainAttempts[K <: AnyRef](now: () => Long = () => System.nanoTime()) {
  import VainAttempts._

  // When the next attempt may be made.
  private val vain = CacheBuilder.newBuilder().maximumSize(MostKeys).build[K, java.lang.Long]()

  /** @param attempt returns whether it achieved its aim */
  def attempt(key: K)(attempt: => Boolean): Unit = {
    val until = vain.getIfPresent(key)
    val begun = now()
    if (until == null || begun - until >= 0) {
      if (attempt) vain.invalidate(key)
      else {
        val ended = now()
        vain.put(key, ended + math.min(MostNanos, (ended - begun) * Pause))
      }
    }
  }
}

private object VainAttempts {
  private val MostKeys = 1000L
  private val Pause = 10
  private val MostNanos = TimeUnit.SECONDS.toNanos(1)
}
