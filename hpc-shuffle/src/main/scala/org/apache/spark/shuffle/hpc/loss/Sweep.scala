package org.apache.spark.shuffle.hpc.loss

import java.util.concurrent.{Callable, TimeUnit}

import scala.collection.JavaConverters._
import scala.util.control.NonFatal

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster}
import org.apache.spark.internal.Logging
import org.apache.spark.shuffle.hpc.place.{OutputDirectory, OutputPlace}
import org.apache.spark.shuffle.hpc.read.ContainerFiles
import org.apache.spark.util.ThreadUtils

/** Looks, on the driver, which outputs of a shuffle are lost when the first of them turns out to be. */
private[hpc] final class Sweep(
    directory: => OutputDirectory,
    files: ContainerFiles,
    tracker: MapOutputTrackerMaster
) extends Logging {
  import Sweep._

  /** Makes the tracker forget all outputs of each place where one is lost.
    *
    * Only the first failure at a place is worth it: the tracker forgets that place anyway.
    */
  def after(failed: FetchFailed): Unit = {
    val outputs = tracker.shuffleStatuses.get(failed.shuffleId).toSeq.flatMap(_.withMapStatuses {
      _.toSeq.filter(_ != null).map(status => (status.location, status.mapId))
    })
    if (outputs.exists { case (location, _) => location == failed.bmAddress }) {
      val places = for ((location, mapTaskId) <- outputs; place <- OutputPlace.of(location))
        yield (place, mapTaskId)
      for (place <- lost(places.groupBy(_._1).mapValues(_.map(_._2)).toSeq)) {
        logWarning(
          s"Map outputs of shuffle ${place.shuffle} by executor ${place.executor} on " +
            s"${place.host} are lost, and computed again"
        )
        tracker.removeOutputsOnExecutor(place.marker.executorId)
      }
    }
  }

  /** What isn't known in time is taken for there, since the scheduler waits meanwhile, and so is what can't be
    * looked for.
    */
  private def lost(outputs: Seq[(OutputPlace, Seq[Long])]): Seq[OutputPlace] = {
    val threads = ThreadUtils.newDaemonFixedThreadPool(LooksAtOnce, "spark-hpc-sweep")
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
        logWarning(s"Whether $place is there can't be said: $failure")
        false
    }
}

private[hpc] object Sweep {
  // The driver has nothing better to do, and a look is a few requests.
  private val LooksAtOnce = 16
  private val LookSeconds = 30L
}
