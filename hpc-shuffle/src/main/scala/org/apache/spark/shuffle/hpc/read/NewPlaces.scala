package org.apache.spark.shuffle.hpc.read

import java.util.concurrent.{RejectedExecutionException, TimeUnit}

import scala.util.{Success, Try}
import scala.util.control.NonFatal

import com.google.common.cache.{CacheBuilder, CacheLoader, LoadingCache}
import org.apache.spark.MapOutputTrackerWorker
import org.apache.spark.network.shuffle.{BlockFetchingListener, DownloadFileManager}
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OutputPlace
import org.apache.spark.storage.BlockId
import org.apache.spark.util.ThreadUtils

/** Fetches outputs that their executor doesn't send any more from the places to which it has moved them, if any.
  *
  * A task knows the places as they were when it began. Without this class, its stage would have to be tried again.
  *
  * @param statusesNow the map statuses of a shuffle as the driver has them now
  */
private[hpc] final class NewPlaces(routes: Routes, statusesNow: Int => Seq[MapStatus]) {
  import NewPlaces._

  private val askers = ThreadUtils.newDaemonCachedThreadPool("spark-hpc-ask-driver", AsksAtOnce)

  // By shuffle.
  private val lastAnswers: LoadingCache[Integer, Answer] = CacheBuilder.newBuilder()
    .expireAfterAccess(1, TimeUnit.MINUTES)
    .build(CacheLoader.from[Integer, Answer](shuffle => new Answer(shuffle)))

  /** Requests blocks from an executor by `ask`, and then looks elsewhere for those that it doesn't send. */
  def fetch(
      blockIds: Seq[String],
      listener: BlockFetchingListener,
      downloads: DownloadFileManager
  )(ask: BlockFetchingListener => Unit): Unit = {
    val answers = new AnsweredOnce(blockIds, listener)
    val outcome = new OwnersAnswers(blockIds, answers, new RouteCounts)
    outcome.end.whenComplete { (_, failure) =>
      if (failure != null) {
        val since = System.nanoTime()
        try askers.execute(() => look(answers, downloads, failure, since))
        catch { case _: RejectedExecutionException => answers.failRest(failure) }
      }
    }
    ask(outcome)
  }

  private def look(
      answers: AnsweredOnce,
      downloads: DownloadFileManager,
      failure: Throwable,
      since: Long
  ): Unit =
    try {
      val blocks = answers.rest.map(id => id -> DirectRoute.block(BlockId(id)))
      val places = blocks.map(_._2._1).distinct
        .map(shuffle => shuffle -> lastAnswers.get(shuffle).placesSince(since)).toMap
      val byPlace = blocks.groupBy { case (_, (shuffle, block)) =>
        places(shuffle).get(block.mapTaskId)
      }
      for ((Some(place), its) <- byPlace) routes.fetch(place, its.map(_._1), answers, downloads)
      for ((id, _) <- byPlace.getOrElse(None, Nil)) answers.onBlockFetchFailure(id, failure)
    } catch {
      case NonFatal(another) =>
        failure.addSuppressed(another)
        answers.failRest(failure)
    }

  /** The driver's last answer on a shuffle, or why it gave none. One answer serves all requests that had failed when it
    * was asked for: if an executor goes, many requests fail at once.
    */
  private final class Answer(shuffle: Int) {
    private var askedAt = Option.empty[Long]
    private var places: Try[Map[Long, OutputPlace]] = Success(Map.empty)

    /** The places of the shuffle's outputs by map task, at `since` or later. Outputs that are on an executor are left out. */
    def placesSince(since: Long): Map[Long, OutputPlace] = synchronized {
      if (!askedAt.exists(_ - since >= 0)) {
        val now = System.nanoTime()
        places = Try {
          val found =
            for (status <- statusesNow(shuffle); place <- OutputPlace.of(status.location))
              yield status.mapId -> place
          found.toMap
        }
        askedAt = Some(now)
      }
      places.get
    }
  }

  def stop(): Unit = askers.shutdown()
}

private[hpc] object NewPlaces {
  private val AsksAtOnce = 4

  /** The map statuses of a shuffle as the driver has them now. This executor forgets those that it knew. */
  def statuses(tracker: MapOutputTrackerWorker)(shuffle: Int): Seq[MapStatus] = {
    tracker.unregisterShuffle(shuffle)
    tracker.getMapSizesByExecutorId(shuffle, 0)
    tracker.mapStatuses.get(shuffle).toSeq.flatten
  }
}
