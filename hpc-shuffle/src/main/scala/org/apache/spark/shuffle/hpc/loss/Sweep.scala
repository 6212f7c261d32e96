package org.apache.spark.shuffle.hpc.loss

import java.util.concurrent.{Callable, FutureTask, TimeUnit, TimeoutException}

import scala.collection.JavaConverters._
import scala.concurrent.duration._
import scala.util.control.NonFatal

import com.google.common.base.Ticker
import com.google.common.cache.{Cache, CacheBuilder}

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, ShuffleStatus}
import org.apache.spark.internal.Logging
import org.apache.spark.shuffle.hpc.place.{OutputDirectory, OutputPlace}
import org.apache.spark.shuffle.hpc.read.ContainerFiles
import org.apache.spark.util.ThreadUtils

/** Finds, on the driver, all lost outputs of a shuffle after a failed fetch has shown that one of them is lost.
  *
  * A shuffle has one search at a time. After one that found nothing, it has none for ten times as long as that took: the
  * driver may see the file system in another way than executors do. Failed fetches that come meanwhile start none: Spark
  * itself forgets the outputs of the place that each of them names.
  *
  * @param patience how long the scheduler waits for a search; one that takes longer goes on beside the scheduler
  */
private[hpc] final class Sweep(
    directory: => OutputDirectory,
    files: ContainerFiles,
    patience: FiniteDuration = 2.seconds,
    ticker: Ticker = Ticker.systemTicker
) extends Logging {
  import Sweep._

  /** Until when a shuffle has no further search. */
  private val pauses: Cache[Integer, java.lang.Long] =
    CacheBuilder.newBuilder().expireAfterWrite(Longest.toNanos, TimeUnit.NANOSECONDS).ticker(
      ticker
    ).build()

  /** Makes the tracker forget all outputs of each place where one is lost. The tracker forgets those that are found after
    * `patience`, too: a map stage that has ended then is computed again in part.
    */
  def after(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit = {
    val shuffle = failed.shuffleId
    // Only the first failed fetch from a place: after it, the tracker has no outputs there. All reducers can fail at
    // once, so this looks only at the output that the failure names, not at all outputs of the shuffle.
    for (
      statuses <- tracker.shuffleStatuses.get(shuffle)
      if isFirst(failed, statuses) && mayBegin(shuffle)
    ) {
      val begun = new FutureTask[Unit](() => search(shuffle, statuses, tracker))
      val thread = new Thread(begun, "spark-hpc-sweep")
      thread.setDaemon(true)
      thread.start()
      try begun.get(patience.toMillis, TimeUnit.MILLISECONDS)
      catch {
        case _: TimeoutException =>
          logInfo(s"The search for lost map outputs of shuffle $shuffle goes on in the background")
      }
    }
  }

  private def isFirst(failed: FetchFailed, statuses: ShuffleStatus): Boolean =
    statuses.getMapStatus(failed.mapId).exists(_.location == failed.bmAddress)

  private def mayBegin(shuffle: Int): Boolean = {
    val now = ticker.read()
    val isDue = Option(pauses.getIfPresent(shuffle)).forall(now - _ >= 0)
    // While it runs; its end sets the pause that follows.
    if (isDue) pauses.put(shuffle, now + Longest.toNanos)
    isDue
  }

  private def search(
      shuffle: Int,
      statuses: ShuffleStatus,
      tracker: MapOutputTrackerMaster
  ): Unit = {
    val begun = ticker.read()
    var pause = 0L
    try {
      val outputs = for {
        status <- statuses.withMapStatuses(_.filter(_ != null).toSeq)
        place <- OutputPlace.of(status.location)
      } yield (place, status.mapId)
      val found = lost(outputs.groupBy(_._1).mapValues(_.map(_._2)).toSeq)
      for (place <- found)
        logWarning(
          s"Map outputs of shuffle $shuffle by executor ${place.executor} on ${place.host} are lost and will be " +
            "computed again"
        )
      if (found.nonEmpty) {
        // In one pass: the tracker's own method looks at all outputs of all shuffles for each place.
        statuses.removeOutputsByFilter(found.map(_.marker).toSet)
        // Makes executors ask for the map statuses again.
        tracker.incrementEpoch()
      }
      if (found.isEmpty) pause = PauseFactor * (ticker.read() - begun)
    } finally pauses.put(shuffle, ticker.read() + math.min(Longest.toNanos, pause))
  }

  /** The places where an output is lost. A place that can't be checked, or not in time, counts as intact. */
  private def lost(outputs: Seq[(OutputPlace, Seq[Long])]): Seq[OutputPlace] = {
    val threads = ThreadUtils.newDaemonFixedThreadPool(LooksAtOnce, "spark-hpc-sweep-look")
    try {
      val looks = outputs.map { case (place, mapTaskIds) =>
        (() => Some(place).filter(isLost(_, mapTaskIds))): Callable[Option[OutputPlace]]
      }
      threads.invokeAll(looks.asJava, LookSeconds, TimeUnit.SECONDS).asScala
        .filterNot(_.isCancelled).flatMap(_.get)
    } finally threads.shutdownNow()
  }

  private def isLost(place: OutputPlace, mapTaskIds: Seq[Long]): Boolean =
    try files.isLost(directory.container(place), mapTaskIds)
    catch {
      case NonFatal(failure) =>
        logWarning(s"Cannot check whether outputs of $place are lost: $failure")
        false
    }
}

private[hpc] object Sweep {
  private val LooksAtOnce = 16
  private val LookSeconds = 30L
  private val PauseFactor = 10

  /** The longest search and pause. */
  private val Longest = 1.minute
}
