package org.sparkhpc.retain

import java.util.concurrent.TimeUnit

import com.google.common.cache.CacheBuilder

/** Keeps attempts that achieve nothing from taking more than a tenth of the time: one that was vain isn't
  * made again before ten times as long has passed as it took, or a second.
  *
  * All methods are thread-safe; the time is by key.
  */
final class VainAttempts[K <: AnyRef](now: () => Long = () => System.nanoTime()) {
  import VainAttempts._

  // Until when.
  private val vain = CacheBuilder.newBuilder().maximumSize(MostKeys).build[K, java.lang.Long]()

  /** @param attempt says whether it achieved what was wanted */
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
