package org.apache.spark.shuffle.hpc.place

import org.apache.spark.{MapOutputTrackerMaster, MapOutputTrackerWorker, SparkEnv}
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.storage.BlockManagerId

/** The map outputs of a shuffle that this process knows when this object is made. */
private[hpc] final class KnownOutputs(shuffle: Int) {

  private val statuses: Seq[MapStatus] = SparkEnv.get.mapOutputTracker match {
    case its: MapOutputTrackerWorker => its.mapStatuses.get(shuffle).toSeq.flatten
    case its: MapOutputTrackerMaster =>
      its.shuffleStatuses.get(shuffle).toSeq.flatMap(_.withMapStatuses(_.toSeq))
  }

  /** The map index of an output, and the executor that has it. */
  def find(mapTaskId: Long): Option[(Int, BlockManagerId)] =
    Some(statuses.indexWhere(status => status != null && status.mapId == mapTaskId))
      .filter(_ >= 0).map(index => (index, statuses(index).location))
}
