package org.apache.spark.shuffle.hpc.loss

import java.util.concurrent.{Callable, TimeUnit}

import scala.collection.JavaConverters._
import scala.util.control.NonFatal

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster}
import org.apache.spark.internal.Logging
import org.apache.spark.shuffle.hpc.place.{OutputDirectory, OutputPlace}
import org.apache.spark.shuffle.hpc.read.ContainerFiles
import org.apache.spark.util.ThreadUtils

/** Finds, on the driver, all lost outputs of a shuffle after a failed fetch has shown that one of them is lost. */
private[hpc] final class Sweep(
    directory: => OutputDirectory,
    files: ContainerFiles,
    tracker: MapOutputTrackerMaster
) extends Logging {
  import Sweep._

  /** Makes the tracker forget all outputs of each place where one is lost.
    *
    * Only the first failed fetch from a place starts a search: after it, the tracker has no outputs there.
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
            s"${place.host} are lost and will be computed again"
        )
        tracker.removeOutputsOnExecutor(place.marker.executorId)
      }
    }
  }

  /** The places where an output is lost. A place that can't be checked, or not in time, counts as intact. The time is
    * bounded because the scheduler waits.
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
        logWarning(s"Cannot check whether outputs of $place are lost: $failure")
        false
    }
}

private[hpc] object Sweep {
  // The scheduler waits for these checks, and each takes only a few requests.
  private val LooksAtOnce = 16
  private val LookSeconds = 30L
}
