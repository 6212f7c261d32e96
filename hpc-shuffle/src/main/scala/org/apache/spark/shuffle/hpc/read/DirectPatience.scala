package org.apache.spark.shuffle.hpc.read

import java.io.{FilterOutputStream, OutputStream}
import java.util.concurrent.{ConcurrentHashMap, TimeUnit, TimeoutException}
import java.util.concurrent.atomic.AtomicBoolean

import scala.collection.JavaConverters._

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Hpc
import org.apache.spark.shuffle.hpc.place.OutputPlace
import org.apache.spark.util.{ThreadUtils, Utils}

/** Ends the wait for reads of the shared file system of which nothing has come for so long.
  *
  * A read can't be called back: its thread stays where it is. As long as one that was given up hasn't
  * come back, nobody begins to wait for another one.
  */
private[hpc] final class DirectPatience(conf: SparkConf) {
  import DirectPatience._

  private val deadline = conf.get(Hpc.SHUFFLE_DIRECT_DEADLINE)
  private val waits = ConcurrentHashMap.newKeySet[Watched]()
  private val clock =
    ThreadUtils.newDaemonSingleThreadScheduledExecutor("spark-hpc-direct-deadline")

  // When anything came of any read. Those that wait for a thread of their own hear nothing meanwhile.
  @volatile private var heardAt = System.nanoTime()

  locally {
    val looks = math.max(deadline / LooksInTime, 1)
    val look: Runnable = () => Utils.tryLogNonFatalError(waits.asScala.foreach(_.look()))
    clock.scheduleWithFixedDelay(look, looks, looks, TimeUnit.MILLISECONDS)
  }

  /** A wait that ends in time; None if a read stands still, and then `otherwise` knows. */
  def watch(place: OutputPlace, otherwise: Throwable => Unit): Option[Wait] =
    waits.asScala.find(_.isGivenUp) match {
      case Some(other) =>
        otherwise(new TimeoutException(s"the read of ${other.place} still hasn't come back"))
        None
      case None =>
        val wait = new Watched(place, otherwise)
        waits.add(wait)
        Some(wait)
    }

  def stop(): Unit = clock.shutdownNow(): Unit

  private final class Watched(val place: OutputPlace, otherwise: Throwable => Unit)
      extends Wait(otherwise) {

    @volatile private var ownHeardAt = System.nanoTime()
    @volatile private var isBegun = false
    @volatile var isGivenUp = false

    override def begin(): Boolean = {
      heard()
      isBegun = true
      if (!isOpen) waits.remove(this)
      isOpen
    }

    override def heard(): Unit = {
      heardAt = System.nanoTime()
      ownHeardAt = heardAt
    }

    override def end(failure: Option[Throwable]): Unit = {
      heard()
      waits.remove(this)
      super.end(failure)
    }

    def look(): Unit = {
      val last = if (isBegun) ownHeardAt else heardAt
      if (System.nanoTime() - last > TimeUnit.MILLISECONDS.toNanos(deadline)) {
        isGivenUp = isBegun
        super.end(Some(new TimeoutException(
          s"nothing came of $place for $deadline ms (${Hpc.SHUFFLE_DIRECT_DEADLINE.key})"
        )))
      }
    }
  }
}

private[hpc] object DirectPatience {
  private val LooksInTime = 4

  /** For the end of a read, once; `otherwise` hears of a failure. */
  class Wait(otherwise: Throwable => Unit) {
    private val open = new AtomicBoolean(true)

    protected def isOpen: Boolean = open.get

    /** Whether the read is to begin: somebody still waits for it. */
    def begin(): Boolean = isOpen

    /** Something came of it. */
    def heard(): Unit = ()

    def end(failure: Option[Throwable]): Unit =
      if (open.compareAndSet(true, false)) failure.foreach(otherwise)

    /** `to`, where what is written is heard. */
    def hearing(to: OutputStream): OutputStream = new FilterOutputStream(to) {
      override def write(bytes: Array[Byte], offset: Int, count: Int): Unit = {
        heard()
        out.write(bytes, offset, count)
      }
    }
  }
}
