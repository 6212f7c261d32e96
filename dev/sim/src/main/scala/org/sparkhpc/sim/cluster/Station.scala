package org.sparkhpc.sim.cluster

/** One server's queue, first come, first served: the time model of the emulator (dev/testbed/pfs/queue.h).
  *
  *  1. The time when a request is done is known when the request arrives. Requests must arrive in the order of time.
  *  1. Service times are lognormal. Rarely a request takes a time from the tail, which holds no thread.
  *  1. With a bandwidth, the bytes then pass one link, one request after the other.
  *  1. `count` like requests that a client makes one after the other can arrive as one, so that simulating a large
  *     cluster ends: they then take the mean service time each, and hold one thread until the last one is served.
  */
final class Station(shape: Station.Shape, seed: Long) {
  private val draws = new Draws(seed)
  private val threadFree = new Array[Long](shape.threads)
  private var linkFree = 0L
  private var busy = 0L
  private var taken = 0L

  /** Nanoseconds for which threads served. */
  def busyNanos: Long = busy

  /** Nanoseconds that all requests took, each with its wait. */
  def takenNanos: Long = taken

  /** Takes a request of `weight` (1 = an open) with its bytes. Returns the time when it is done. */
  def admit(now: Long, weight: Double, bytes: Double = 0, count: Long = 1): Long = {
    val service = if (count == 1) one(weight) else count * mean(weight)
    val tail = tailOf(count)
    val thread = earliest
    val begun = math.max(now, threadFree(thread))
    threadFree(thread) = begun + service.toLong
    busy += service.toLong
    var done = threadFree(thread)
    if (bytes > 0 && shape.megabytes > 0) {
      done = math.max(done, linkFree) + (bytes * 1000 / shape.megabytes).toLong
      linkFree = done
    }
    // A single request of the tail takes that time instead of the drawn one.
    done += (if (count == 1) math.max(0L, tail.toLong - service.toLong) else tail.toLong)
    taken += done - now
    done
  }

  private def one(weight: Double): Double =
    if (shape.medianMicros <= 0) 0
    else {
      val micros = draws.lognormal(shape.medianMicros, shape.sigma) * weight
      // As in the emulator, whole nanoseconds.
      math.floor((if (shape.tailTo > 0) math.min(micros, shape.tailTo) else micros) * 1000)
    }

  private def mean(weight: Double): Double =
    shape.medianMicros * math.exp(shape.sigma * shape.sigma / 2) * weight * 1000

  private def tailOf(count: Long): Double =
    if (shape.tailChance <= 0) 0
    else {
      val hit = draws.uniform()
      val times = if (count == 1) (if (hit < shape.tailChance) 1L else 0L)
      else (count * shape.tailChance + hit).toLong
      var sum = 0.0
      var each = 0L
      while (each < times) {
        sum += draws.loguniform(shape.tailFrom, shape.tailTo)
        each += 1
      }
      math.floor(sum * 1000)
    }

  private def earliest: Int = {
    var best = 0
    var thread = 1
    while (thread < threadFree.length) {
      if (threadFree(thread) < threadFree(best)) best = thread
      thread += 1
    }
    best
  }
}

object Station {

  /** @param megabytes a second of the link; 0: no limit */
  final case class Shape(
      threads: Int,
      medianMicros: Double,
      sigma: Double,
      tailChance: Double,
      tailFrom: Double,
      tailTo: Double,
      megabytes: Double
  )

  object Shape {

    /** The shape of a preset's servers; `prefix` is `mds` or `ost`. The values that are missing are the emulator's
      * (dev/testbed/pfs/settings.c).
      */
    def of(settings: Settings, prefix: String): Shape = Shape(
      settings.get(s"$prefix.threads", 4).toInt,
      settings.get(s"$prefix.median_us", 0),
      settings.get(s"$prefix.sigma", 0),
      settings.get(s"$prefix.tail_chance", 0),
      settings.get(s"$prefix.tail_from_us", 1000),
      settings.get(s"$prefix.tail_to_us", 100000),
      settings.get(s"$prefix.bandwidth_mb", 0)
    )
  }
}
