package org.apache.spark.shuffle.hpc

import java.io.IOException
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.MapOutputTrackerMaster
import org.apache.spark.internal.Logging
import org.apache.spark.shuffle.{MovedOutput, MovedOutputs}

/** What decommissioned executors moved to the application's directory, as the driver knows it: it has map
  * statuses name the new places, and removes the files of a shuffle with it.
  */
private[hpc] final class EvacuatedOutputs(directory: => OutputDirectory) extends Logging {
  private val shuffles = ConcurrentHashMap.newKeySet[Int]()

  /** Has the tracker name the new places; gives the outputs that it doesn't have.
    *
    * Those are let alone: of a stage that is computed again because its results differ from time to time
    * an earlier attempt's output mustn't come back.
    */
  def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput] = {
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
  def remove(shuffle: Int): Unit =
    if (shuffles.remove(shuffle)) {
      try directory.remove(shuffle)
      catch {
        case failure: IOException =>
          logWarning(s"Map outputs of shuffle $shuffle stay until the application ends: $failure")
      }
    }
}
