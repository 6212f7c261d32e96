package org.apache.spark.shuffle.hpc

import java.io.File

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, SparkEnv}
import org.apache.spark.internal.config.STORAGE_DECOMMISSION_SHUFFLE_MAX_THREADS
import org.apache.spark.network.BlockTransferService
import org.apache.spark.shuffle.{IndexShuffleBlockResolver, MovedOutput, MovedOutputs}
import org.apache.spark.shuffle.hpc.loss.{EvacuatedOutputs, Evacuation, GlobalCopies, Sweep}
import org.apache.spark.shuffle.hpc.place.{
  NeighbourList,
  OutputDirectory,
  Places,
  PrivatePlaces,
  SharedDirectory
}
import org.apache.spark.shuffle.hpc.read.{NewPlaces, RoutingTransferService}
import org.apache.spark.shuffle.hpc.serve.PrivateBlockResolver

/** Keeps map outputs in containers in the executor's own scratch. If there is a tier that all nodes see, a
  * decommissioned executor moves its outputs there.
  */
private[hpc] final class ExecutorPlacement(
    process: ShuffleProcess,
    tellDriver: MovedOutputs => Seq[MovedOutput]
) extends InContainers(process) {
  import process._

  private val received = new Received

  override protected def places: Places =
    new PrivatePlaces(disk, new NeighbourList(disk.localDirs.head))

  private lazy val directory = new OutputDirectory(SharedDirectory.path(conf).get)
  private val evacuated = new EvacuatedOutputs(directory)
  private lazy val sweep = new Sweep(directory, files)

  // Lazy: on the driver, `check` sets the directory after this constructor.
  private lazy val evacuation: Option[Evacuation] =
    SharedDirectory.path(conf).filter(_ => ExecutorSettings.isEvacuated(conf)).map { path =>
      def tier = disk.sharedTiers.find(_.forAll.exists(_.getParentFile.toPath == path))
      def visibility = SharedDirectory.visibility(conf, disk.coherences)
      val copies =
        new GlobalCopies(files, directory, tier, visibility, blockManagerId, counts)
      val threads = conf.get(STORAGE_DECOMMISSION_SHUFFLE_MAX_THREADS)
      new Evacuation(own, copies, threads, counts, tellDriver)
    }

  private val answers =
    new PrivateBlockResolver(conf, files, own, held, received.byShuffle, left _)

  override def resolver: IndexShuffleBlockResolver = answers

  /** The outputs that Spark has to send to other executors: those that couldn't be moved. */
  private def left(): Seq[(Int, Long)] = {
    val isLeaving = SparkEnv.get.blockManager.decommissioner.nonEmpty
    evacuation.fold(own.outputs)(its => if (isLeaving) its.moveNew() else its.left)
  }

  override def check(shared: Option[File]): Unit =
    if (ExecutorSettings.isEvacuated(conf)) shared.foreach(SharedDirectory.choose(conf, _))

  // An output is in the shared directory only because its executor is leaving, so reducers read it there directly.
  override def around(network: BlockTransferService): BlockTransferService =
    if (ExecutorSettings.isEvacuated(conf)) {
      val direct = routes(network, directory, only = Some("direct"))
      val newPlaces = new NewPlaces(direct, process.statuses(_))
      new RoutingTransferService(network, direct, Some(newPlaces))
    } else {
      network
    }

  override def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit =
    if (evacuation.nonEmpty) sweep.after(failed, tracker)

  override def evacuate(): Boolean = evacuation.forall(_.move())

  override def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput] =
    evacuated.moved(outputs, tracker)

  override def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit =
    evacuated.registered(mapTaskId, tracker)

  override def forget(shuffle: Int): Unit = {
    received.remove(shuffle)(answers.removeReceived(shuffle, _))
    super.forget(shuffle)
    evacuation.foreach(_.forget(shuffle))
    if (isDriver) evacuated.remove(shuffle)
  }

  override def close(): Unit = {
    super.close()
    evacuation.foreach(_.close())
  }
}
