package org.apache.spark.shuffle.hpc.loss

import java.io.IOException
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.MapOutputTrackerMaster
import org.apache.spark.internal.Logging
import org.apache.spark.shuffle.{MovedOutput, MovedOutputs}
import org.apache.spark.shuffle.hpc.place.OutputDirectory

/** What decommissioned executors moved to the application's directory, as the driver knows it: it has map
  * statuses name the new places, and removes the files of a shuffle with it.
  */
private[hpc] final class EvacuatedOutputs(directory: => OutputDirectory) extends Logging {
  private val shuffles = ConcurrentHashMap.newKeySet[Int]()

  // By map task: those that the tracker didn't have when they were moved.
  private val early = new ConcurrentHashMap[Long, MovedOutput]

  /** Has the tracker name the new places; gives the outputs that it doesn't have.
    *
    * Those are let alone until the tracker has them: of a stage that is computed again because its results differ
    * from time to time an earlier attempt's output mustn't come back.
    */
  def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput] = {
    val unknown = tell(outputs, tracker)
    for (output <- unknown) early.put(output.mapTaskId, output)
    // One that was registered meanwhile has been looked for too early.
    unknown.filterNot { output =>
      registered(output.mapTaskId, tracker)
      isIn(tracker, output)
    }
  }

  /** The tracker has perhaps been given a map task's output. */
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
    // Executors ask anew. After that, or they would hear the old places.
    tracker.incrementEpoch()
    unknown.flatten
  }

  /** Nobody needs a shuffle's outputs any more. */
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
