package org.apache.spark.shuffle.hpc

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster}
import org.apache.spark.internal.Logging
import org.apache.spark.util.ThreadUtils

/** Looks, on the driver, which outputs of a shuffle are lost when the first of them turns out to be. */
private[hpc] final class Sweep(files: OutputFiles, tracker: MapOutputTrackerMaster)
    extends Logging {
  import Sweep._

  /** Makes the tracker forget all outputs of each place where one isn't whole.
    *
    * Only the first failure at a place is worth it: the tracker forgets that place anyway.
    */
  def after(failed: FetchFailed): Unit = {
    val outputs = tracker.shuffleStatuses.get(failed.shuffleId).toSeq.flatMap(_.withMapStatuses {
      _.toSeq.filter(_ != null).map(status => (status.location, status.mapId))
    })
    if (outputs.exists { case (location, _) => location == failed.bmAddress }) {
      val lost = ThreadUtils.parmap(outputs, "spark-hpc-sweep", LooksAtOnce) {
        case (location, mapId) =>
          OutputPlace.of(location).filterNot(files.isWhole(_, mapId))
      }.flatten.distinct
      for (place <- lost) {
        logWarning(
          s"Map outputs of shuffle ${place.shuffle} by executor ${place.executor} on " +
            s"${place.host} are lost, and computed again"
        )
        tracker.removeOutputsOnExecutor(place.marker.executorId)
      }
    }
  }
}

private[hpc] object Sweep {
  // The driver has nothing better to do, and a look is a few requests.
  private val LooksAtOnce = 16
}
