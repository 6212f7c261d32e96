package org.apache.spark.shuffle.hpc.loss

import java.io.IOException
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.MapOutputTrackerMaster
import org.apache.spark.internal.Logging
import org.apache.spark.shuffle.{MovedOutput, MovedOutputs}
import org.apache.spark.shuffle.hpc.place.OutputDirectory

/** The driver's record of the outputs that decommissioned executors moved to the application's directory. It puts the
  * new places into map statuses, and removes the files of a shuffle together with it.
  */
private[hpc] final class EvacuatedOutputs(directory: => OutputDirectory) extends Logging {
  private val shuffles = ConcurrentHashMap.newKeySet[Int]()

  // By map task: outputs that the tracker didn't have when they were moved.
  private val early = new ConcurrentHashMap[Long, MovedOutput]

  /** Puts the new places into the tracker, and returns the outputs that the tracker doesn't have.
    *
    * These aren't added to the tracker. If a stage is computed again because its results differ between runs, an output
    * of an earlier attempt must not come back.
    */
  def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput] = {
    val unknown = tell(outputs, tracker)
    for (output <- unknown) early.put(output.mapTaskId, output)
    // An output may have been registered after the tracker was searched for it, so search again.
    unknown.filterNot { output =>
      registered(output.mapTaskId, tracker)
      isIn(tracker, output)
    }
  }

  /** Called when the tracker may have been given a map task's output. */
  def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit =
    for (output <- Option(early.get(mapTaskId)) if isIn(tracker, output)) {
      early.remove(mapTaskId)
      tell(MovedOutputs(Seq(output)), tracker)
    }

  private def isIn(tracker: MapOutputTrackerMaster, output: MovedOutput): Boolean =
    tracker.shuffleStatuses.get(output.shuffle).forall { statuses =>
      statuses.getMapStatus(output.mapTaskId).exists(_.mapId == output.mapTaskId)
    }

  private def tell(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput] = {
    val unknown = for ((shuffle, its) <- outputs.outputs.groupBy(_.shuffle).toSeq) yield {
      shuffles.add(shuffle)
      tracker.shuffleStatuses.get(shuffle) match {
        case Some(statuses) =>
          val places = its.map(output => output.mapTaskId -> output).toMap
          val known = statuses.withMapStatuses { present =>
            for (status <- present.toSeq if status != null; output <- places.get(status.mapId))
              yield {
                status.updateLocation(output.place)
                output.mapTaskId
              }
          }
          statuses.invalidateSerializedMapOutputStatusCache()
          (places -- known).values
        case None =>
          remove(shuffle)
          Nil
      }
    }
    // Makes executors ask for the places again. If it came earlier, they could get the old places.
    tracker.incrementEpoch()
    unknown.flatten
  }

  /** Called when nobody needs a shuffle's outputs any more. */
  def remove(shuffle: Int): Unit = {
    early.values.removeIf(_.shuffle == shuffle)
    if (shuffles.remove(shuffle)) {
      try directory.remove(shuffle)
      catch {
        case failure: IOException =>
          logWarning(s"Map outputs of shuffle $shuffle stay until the application ends: $failure")
      }
    }
  }
}
