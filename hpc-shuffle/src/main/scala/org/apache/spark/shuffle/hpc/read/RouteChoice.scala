package org.apache.spark.shuffle.hpc.read

import java.util.concurrent.TimeUnit

import scala.collection.mutable

import com.codahale.metrics.Counter
import com.google.common.cache.{CacheBuilder, CacheLoader, LoadingCache}

/** Which route is to take a request, by what it asks for and by how long requests of late took.
  *
  * A route is expected to take what [[RouteChoice.Cost]] says, times the median of what its last
  * requests took more or less than that. As in HOMR (Rahman et al., IPDPS'15, III-D) one slow request
  * decides nothing; unlike there, there is a way back: what is older than 10 s isn't known any more.
  *
  * @param switches counts the requests for which that isn't what was expected
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
    // Without the owner is better where that costs little.
    val isExpected = reading <= asking * MuchSlower
    val isNow =
      if (isExpected) readingNow <= askingNow * FarSlower else askingNow > readingNow * FarSlower
    if (isNow != isExpected) switches.inc()
    isNow
  }

  def tookDirect(work: Work, nanos: Long): Unit = direct.took(nanos / Direct.nanos(work))

  def tookNetwork(owner: String, work: Work, nanos: Long): Unit =
    owners.getUnchecked(owner).took(nanos / Network.nanos(work))

  /** How much more than expected the last requests of a route took. */
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

  /** What a request asks for.
    *
    * @param blocks how many
    * @param reads how many of the container they take
    * @param bytes of them all
    * @param isOpen whether this process has their container open
    */
  final case class Work(blocks: Int, reads: Int, bytes: Long, isOpen: Boolean)

  /** What a route takes by itself: measured on the emulated Lustre (docs/results/container-formats.md). */
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

  // A request takes 400 us, and four are under way.
  private val Direct = Cost(toOpen = 350e3, ofRead = 100e3, ofByte = 1)
  private val Network = Cost(toBegin = 300e3, ofBlock = 2e3, ofByte = 1)
}
