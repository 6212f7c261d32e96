package org.apache.spark.shuffle

import java.io.File

import com.codahale.metrics.MetricSet
import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, Refusal, SparkConf}
import org.apache.spark.internal.config.{Hpc, SHUFFLE_MANAGER}
import org.apache.spark.network.BlockTransferService

/** A shuffle manager whose map outputs live in places of their own: a map status names such a place
  * where Spark's would name the executor.
  */
private[spark] trait PlacedOutputs extends ShuffleManager {

  /** Called on the driver before anything is started; a [[Refusal]] for settings that don't
    * go together, with the remedy.
    *
    * @param shared the driver's directory in the first tier that other nodes see as well
    */
  def check(shared: Option[File]): Unit

  /** The service that reads from these places, and from executors by `network`. */
  def around(network: BlockTransferService): BlockTransferService

  /** Of what this process reads, for its metrics. */
  def metrics: MetricSet

  /** Makes the tracker forget what else is lost when this is; called before Spark forgets it.
    *
    * Spark learns of one lost place by one failed fetch, and gives a job up after four of them.
    */
  def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit

  /** Moves what only this executor has to where it outlives that; called while the executor is
    * decommissioned, each time when no task runs.
    *
    * @return false if there is more to be done, a little later
    */
  def evacuate(): Boolean

  /** Tells the driver of outputs that were moved; gives those that it doesn't know. */
  @volatile var tellDriver: MovedOutputs => Seq[MovedOutput] = told => told.outputs

  /** The driver is told so. */
  def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput]

  /** The driver's scheduler has heard of a map task's success; its output may have been moved before. */
  def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit
}

private[spark] object PlacedOutputs {

  /** In a map status the host of a place that isn't on a node. */
  val NoNode: String = "hpc-global"

  def of(manager: ShuffleManager): Option[PlacedOutputs] = manager match {
    case placed: PlacedOutputs => Some(placed)
    case _ => None
  }

  /** A [[Refusal]] for settings that can't be, with the remedy. */
  def check(manager: ShuffleManager, conf: SparkConf, shared: Option[File]): Unit = {
    if (of(manager).isEmpty && conf.get(Hpc.SHUFFLE_PLACEMENT) == "global") {
      throw Refusal(
        s"${Hpc.SHUFFLE_PLACEMENT.key}=global needs the shuffle manager ${ShuffleManagers.Ours}, and " +
          s"this is ${manager.getClass.getName}: leave ${SHUFFLE_MANAGER.key} out, and take the distribution, " +
          "which has it"
      )
    }
    of(manager).foreach(_.check(shared))
  }
}
