package org.apache.spark.shuffle.hpc.read

import java.io.{FilterOutputStream, OutputStream}
import java.util.concurrent.{ConcurrentHashMap, TimeUnit, TimeoutException}
import java.util.concurrent.atomic.AtomicBoolean

import scala.collection.JavaConverters._

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Hpc
import org.apache.spark.shuffle.hpc.place.OutputPlace
import org.apache.spark.util.{ThreadUtils, Utils}

/** Gives up reads of the shared file system from which no byte has come within the timeout.
  *
  * A read can't be cancelled, so its thread stays blocked. While a read that was given up hasn't come back, no other
  * read is begun with a timeout.
  */
private[hpc] final class DirectPatience(conf: SparkConf) {
  import DirectPatience._

  private val deadline = conf.get(Hpc.SHUFFLE_DIRECT_TIMEOUT)
  private val waits = ConcurrentHashMap.newKeySet[Watched]()
  private val clock =
    ThreadUtils.newDaemonSingleThreadScheduledExecutor("spark-hpc-direct-deadline")

  // When data last came from any read. Reads that wait for a thread are timed from it, because nothing can come from
  // them yet.
  @volatile private var heardAt = System.nanoTime()

  locally {
    val looks = math.max(deadline / LooksInTime, 1)
    val look: Runnable = () => Utils.tryLogNonFatalError(waits.asScala.foreach(_.look()))
    clock.scheduleWithFixedDelay(look, looks, looks, TimeUnit.MILLISECONDS)
  }

  /** Begins a wait that ends at the timeout. None if another read has been given up and hasn't come back; then it calls
    * `otherwise` at once.
    */
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
          s"nothing came from $place for $deadline ms (${Hpc.SHUFFLE_DIRECT_TIMEOUT.key})"
        )))
      }
    }
  }
}

private[hpc] object DirectPatience {
  private val LooksInTime = 4

  /** A wait for the end of a read, which is reported once. If the read fails, `otherwise` is called. */
  class Wait(otherwise: Throwable => Unit) {
    private val open = new AtomicBoolean(true)

    protected def isOpen: Boolean = open.get

    /** Called before the read. False if nobody waits for it any more. */
    def begin(): Boolean = isOpen

    /** Called when data has come. */
    def heard(): Unit = ()

    def end(failure: Option[Throwable]): Unit =
      if (open.compareAndSet(true, false)) failure.foreach(otherwise)

    /** Wraps `to` so that each write calls [[heard]]. */
    def hearing(to: OutputStream): OutputStream = new FilterOutputStream(to) {
      override def write(bytes: Array[Byte], offset: Int, count: Int): Unit = {
        heard()
        out.write(bytes, offset, count)
      }
    }
  }
}
