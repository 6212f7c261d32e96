package org.apache.spark.shuffle

import java.io.File
import java.nio.file.Path

import com.codahale.metrics.MetricSet
import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, Refusal, SparkConf, SparkEnv}
import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.internal.config.{Hpc, SHUFFLE_MANAGER}
import org.apache.spark.network.BlockTransferService
import org.apache.spark.storage.hpc.channel.DriverChannel

/** A shuffle manager that stores map outputs in places other than executors. A map status names such a place where
  * Spark's would name the executor.
  */
private[spark] trait PlacedOutputs extends ShuffleManager {

  /** Called on the driver before anything is started. Throws a [[Refusal]] with the remedy if settings contradict each
    * other.
    *
    * @param shared the driver's directory in the first tier that other nodes see as well
    */
  def check(shared: Option[File]): Unit

  /** The application's own directory for map outputs that all nodes read; None if there is none. */
  def directory: Option[Path]

  /** A transfer service that reads from these places, and from executors through `network`. */
  def around(network: BlockTransferService): BlockTransferService

  /** The metrics of this shuffle manager in this process. */
  def metrics: MetricSet

  /** Called before Spark unregisters the map output of a failed fetch. Unregisters the other outputs that are lost with
    * it: by one failed fetch Spark learns of only one lost place, and it fails a job after four of them.
    */
  def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit

  /** Moves map outputs that only this executor has to a place that outlives it. Called while the executor is
    * decommissioned, whenever it runs no task.
    *
    * @return false if outputs remain to be moved by a later call
    */
  def evacuate(): Boolean

  /** Reports moved outputs to the driver; returns those that the driver does not know. */
  @volatile var tellDriver: MovedOutputs => Seq[MovedOutput] = told => told.outputs

  /** Called on the driver with the moved outputs that an executor reports; returns those that it does not know. */
  def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput]

  /** Called on the driver after a map task's success was registered: its output may have been moved before that. */
  def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit
}

private[spark] object PlacedOutputs {

  /** The host that a map status names for a place that is not on a node. */
  val NoNode: String = "hpc-global"

  def of(manager: ShuffleManager): Option[PlacedOutputs] = manager match {
    case placed: PlacedOutputs => Some(placed)
    case _ => None
  }

  /** Throws a [[Refusal]] with the remedy if the settings contradict each other. */
  def check(manager: ShuffleManager, conf: SparkConf, shared: Option[File]): Unit = {
    if (of(manager).isEmpty && conf.get(Hpc.SHUFFLE_PLACEMENT) == "global") {
      throw Refusal(
        s"${Hpc.SHUFFLE_PLACEMENT.key}=global needs the shuffle manager ${ShuffleManagers.Ours}, but " +
          s"this is ${manager.getClass.getName}: leave ${SHUFFLE_MANAGER.key} out, and use the " +
          "Spark-HPC distribution, which contains the manager"
      )
    }
    of(manager).foreach(_.check(shared))
  }

  /** The driver's part of [[PlacedOutputs.tellDriver]]: answers executors' reports of moved outputs. */
  def register(channel: DriverChannel, env: SparkEnv): Unit = channel.onAsk[MovedOutputs] { moved =>
    val tracker = env.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
    of(env.shuffleManager).fold(moved.outputs)(_.moved(moved, tracker))
  }

  /** The executor's part: sends these reports. */
  def tellDriver(context: PluginContext, env: SparkEnv): Unit =
    for (placed <- of(env.shuffleManager))
      placed.tellDriver = context.ask(_).asInstanceOf[Seq[MovedOutput]]
}
