package org.apache.spark.shuffle.hpc

import java.io.{Closeable, File}

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

/** Where the map outputs of an application are, and what follows from that: who writes, serves and reads them, and
  * what the driver does when some are lost.
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

  /** Answers other executors, and this process's own tasks, for the map outputs that are here. */
  def resolver: IndexShuffleBlockResolver

  /** The writer of one map output.
    *
    * @param sparks makes Spark's own writer, which reports to these metrics
    */
  def writer[K, V](
      handle: ShuffleHandle,
      mapTaskId: Long,
      task: TaskContext,
      metrics: ShuffleWriteMetricsReporter
  )(sparks: ShuffleWriteMetricsReporter => ShuffleWriter[K, V]): ShuffleWriter[K, V]

  /** The service by which reducers get map outputs; `network` asks executors. */
  def around(network: BlockTransferService): BlockTransferService

  /** Called on the driver after a fetch has failed: makes the tracker forget the other lost outputs. */
  def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit

  /** Moves what only this executor has; false if there is more to move a little later. */
  def evacuate(): Boolean

  /** Called on the driver when executors have moved outputs; returns those that the driver doesn't know. */
  def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput]

  /** Called on the driver when a map task has succeeded: its output may have been moved before. */
  def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit

  /** Called when nobody needs the shuffle any more. */
  def forget(shuffle: Int): Unit
}

private[hpc] object Placement {

  /** Of a process; on the driver it adapts the settings first, so that executors choose the same.
    *
    * Spark makes the shuffle manager by reflection, which would wrap what is thrown here: nothing is refused yet.
    *
    * @param tellDriver tells the driver of moved outputs, and returns those that it doesn't know
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
