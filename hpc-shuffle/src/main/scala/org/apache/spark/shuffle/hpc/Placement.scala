package org.apache.spark.shuffle.hpc

import java.io.{Closeable, File}
import java.nio.file.Path

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, TaskContext}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.BlockTransferService
import org.apache.spark.shuffle.{
  IndexShuffleBlockResolver,
  MovedOutput,
  MovedOutputs,
  ShuffleHandle,
  ShuffleWriteMetricsReporter,
  ShuffleWriter
}
import org.apache.spark.shuffle.hpc.place.OwnContainers

/** Decides where the map outputs of an application are stored, who writes, serves and reads them, and what the driver
  * does when some are lost.
  *
  * A process chooses its placement once, from the settings ([[Placement.of]]).
  */
private[hpc] trait Placement extends Closeable {

  /** The containers that this process writes. */
  def own: OwnContainers

  /** Checks the settings on the driver before anything starts; throws a [[org.apache.spark.Refusal]].
    *
    * @param shared the driver's directory in the first tier that other nodes see as well
    */
  def check(shared: Option[File]): Unit

  /** The application's directory that all nodes see; None if map outputs are written only to executors' own scratch. */
  def shared: Option[Path]

  /** Serves the map outputs that this process has, to other executors and to its own tasks. */
  def resolver: IndexShuffleBlockResolver

  /** The writer of one map output.
    *
    * @param sparks makes Spark's own writer, which reports to the metrics that it is given
    */
  def writer[K, V](
      handle: ShuffleHandle,
      mapTaskId: Long,
      task: TaskContext,
      metrics: ShuffleWriteMetricsReporter
  )(sparks: ShuffleWriteMetricsReporter => ShuffleWriter[K, V]): ShuffleWriter[K, V]

  /** The service from which reducers fetch map outputs. `network` is Spark's own, which asks executors. */
  def around(network: BlockTransferService): BlockTransferService

  /** Called on the driver after a fetch has failed: makes the tracker forget the other lost outputs. */
  def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit

  /** Moves the outputs that only this executor has. False if it must be called again a little later. */
  def evacuate(): Boolean

  /** Called on the driver when executors have moved outputs; returns those that the driver doesn't know. */
  def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput]

  /** Called on the driver when a map task has succeeded. Its output may already have been moved. */
  def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit

  /** Called when nobody needs the shuffle any more. */
  def forget(shuffle: Int): Unit
}

private[hpc] object Placement {

  /** The placement of a process. On the driver it adapts the settings first, so that executors choose the same
    * placement.
    *
    * It refuses no settings; [[Placement.check]] does. Spark makes the shuffle manager by reflection, which would wrap
    * the exception.
    *
    * @param tellDriver reports moved outputs to the driver and returns those that the driver doesn't know
    */
  def of(
      process: ShuffleProcess,
      tellDriver: MovedOutputs => Seq[MovedOutput]
  ): Placement = {
    val isShared = process.conf.getOption(Hpc.SHUFFLE_PLACEMENT.key).contains("global")
    if (process.isDriver) {
      if (isShared) SharedSettings.prepare(process.conf)
      else ExecutorSettings.prepare(process.conf)
    }
    if (isShared) new SharedPlacement(process)
    else if (ExecutorSettings.isChosen(process.conf)) new ExecutorPlacement(process, tellDriver)
    else new SparksFiles(process)
  }
}
