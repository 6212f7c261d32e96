package org.apache.spark.shuffle.hpc.read

import java.util.concurrent.TimeUnit

import scala.collection.mutable

import com.codahale.metrics.Counter
import com.google.common.cache.{CacheBuilder, CacheLoader, LoadingCache}

/** Chooses the route of a request by the size of the request and by the times that recent requests took.
  *
  * The expected time of a route is its [[RouteChoice.Cost]] times a factor: the median ratio of actual to expected time
  * among its last requests. As in HOMR (Rahman et al., IPDPS'15, III-D), one slow request decides nothing. Unlike in
  * HOMR, a slow route is tried again, because times that are older than 10 s are forgotten.
  *
  * @param switches counts the requests that take another route than the costs alone suggest
  */
private[hpc] final class RouteChoice(
    switches: Counter,
    now: () => Long = () => System.nanoTime()
) {
  import RouteChoice._

  private val direct = new Pace
  private val owners: LoadingCache[String, Pace] =
    CacheBuilder.newBuilder().maximumSize(MostOwners)
      .build(CacheLoader.from((_: String) => new Pace))

  /** Whether to read from the shared file system rather than ask that executor. */
  def isDirect(owner: String, work: Work): Boolean = {
    val reading = Direct.nanos(work)
    val asking = Network.nanos(work)
    val readingNow = reading * direct.factor
    val askingNow = asking * owners.getUnchecked(owner).factor
    // Reading, which needs no owner, is better if it costs little more.
    val isExpected = reading <= asking * MuchSlower
    val isNow =
      if (isExpected) readingNow <= askingNow * FarSlower else askingNow > readingNow * FarSlower
    if (isNow != isExpected) switches.inc()
    isNow
  }

  def tookDirect(work: Work, nanos: Long): Unit = direct.took(nanos / Direct.nanos(work))

  def tookNetwork(owner: String, work: Work, nanos: Long): Unit =
    owners.getUnchecked(owner).took(nanos / Network.nanos(work))

  /** The ratio of actual to expected time of a route's last requests. */
  private final class Pace {
    private val last = mutable.Queue.empty[Double]
    private var lastAt = 0L

    def took(factor: Double): Unit = synchronized {
      forgetOld()
      last.enqueue(factor)
      if (last.size > Remembered) last.dequeue()
      lastAt = now()
    }

    def factor: Double = synchronized {
      forgetOld()
      if (last.size < Remembered) 1 else last.sorted.apply(Remembered / 2)
    }

    private def forgetOld(): Unit = if (now() - lastAt > KnownNanos) last.clear()
  }
}

private[hpc] object RouteChoice {
  private val MostOwners = 10000L
  private val Remembered = 5
  private val KnownNanos = TimeUnit.SECONDS.toNanos(10)
  private val MuchSlower = 1.5
  private val FarSlower = 2.0

  /** The work of a request.
    *
    * @param blocks the number of blocks
    * @param reads the number of reads of the container that they take
    * @param bytes the total bytes of the blocks
    * @param isOpen whether this process has their container open
    */
  final case class Work(blocks: Int, reads: Int, bytes: Long, isOpen: Boolean)

  /** The nanoseconds that a route takes when nothing else slows it down, as measured on the emulated Lustre
    * (docs/results/container-formats.md).
    */
  private final case class Cost(
      toBegin: Double = 0,
      toOpen: Double = 0,
      ofRead: Double = 0,
      ofBlock: Double = 0,
      ofByte: Double
  ) {
    def nanos(work: Work): Double =
      toBegin + (if (work.isOpen) 0 else toOpen) + ofRead * work.reads + ofBlock * work.blocks +
        ofByte * work.bytes
  }

  // A request to the file system takes 400 us, and four run at a time.
  private val Direct = Cost(toOpen = 350e3, ofRead = 100e3, ofByte = 1)
  private val Network = Cost(toBegin = 300e3, ofBlock = 2e3, ofByte = 1)
}
