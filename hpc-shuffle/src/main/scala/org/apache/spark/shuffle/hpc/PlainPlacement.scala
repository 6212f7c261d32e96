package org.apache.spark.shuffle.hpc

import java.io.File
import java.nio.file.Path

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster}
import org.apache.spark.network.BlockTransferService
import org.apache.spark.shuffle.{MovedOutput, MovedOutputs}
import org.apache.spark.shuffle.hpc.place.{OwnContainers, Places}

/** A placement in which each executor serves its own map outputs, which are lost with it. */
private[hpc] abstract class PlainPlacement extends Placement {

  /** Where this process makes its containers. */
  protected def places: Places

  final override val own: OwnContainers = new OwnContainers(places)

  override def shared: Option[Path] = None

  override def check(shared: Option[File]): Unit = ()

  override def around(network: BlockTransferService): BlockTransferService = network

  override def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit = ()

  override def evacuate(): Boolean = true

  override def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput] =
    outputs.outputs

  override def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit = ()

  override def forget(shuffle: Int): Unit = own.forget(shuffle)

  override def close(): Unit = own.close()
}
