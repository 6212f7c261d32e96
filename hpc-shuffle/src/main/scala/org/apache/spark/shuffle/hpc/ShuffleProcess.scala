package org.apache.spark.shuffle.hpc

import java.util.concurrent.TimeUnit

import org.apache.spark.{MapOutputTrackerWorker, SparkConf, SparkEnv}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.BlockTransferService
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OutputDirectory
import org.apache.spark.shuffle.hpc.read.{ContainerFiles, HeldBytes, NewPlaces, OutputSizes, Routes}
import org.apache.spark.storage.BlockManagerId
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.sparkhpc.file.{DescriptorLimit, FilePool, IdleOrder}

/** The objects that a process needs for its shuffles with any placement.
  *
  * The shuffle manager is made before the rest of `SparkEnv`, so values from `SparkEnv` are looked up when they are
  * needed.
  */
private[hpc] final class ShuffleProcess(val conf: SparkConf, val isDriver: Boolean) {

  val counts = new RouteCounts

  /** Reads the containers of this and other executors. */
  val files = new ContainerFiles(pool, counts)

  val held: HeldBytes = HeldBytes.ofThisProcess

  def blockManagerId: BlockManagerId = SparkEnv.get.blockManager.blockManagerId

  def executorId: String = SparkEnv.get.executorId

  /** The scratch directories. */
  def disk: HpcDiskBlockManager =
    SparkEnv.get.blockManager.diskBlockManager.asInstanceOf[HpcDiskBlockManager]

  /** The routes by which this process reads containers of a shared directory.
    *
    * @param only the route to take instead of the one in the settings
    */
  def routes(
      network: BlockTransferService,
      directory: => OutputDirectory,
      only: Option[String] = None
  ): Routes = {
    val sizes = new OutputSizes(shuffle => tracker.flatMap(_.mapStatuses.get(shuffle)))
    new Routes(conf, network, directory, files, sizes, executorId, counts, held, only)
  }

  /** A shuffle's map statuses as the driver has them now. */
  def statuses(shuffle: Int): Seq[MapStatus] =
    tracker.fold(Seq.empty[MapStatus])(NewPlaces.statuses(_)(shuffle))

  /** None on the driver. */
  private def tracker: Option[MapOutputTrackerWorker] =
    Some(SparkEnv.get.mapOutputTracker).collect { case its: MapOutputTrackerWorker => its }

  /** The block manager's pool, so that one bound holds for all files of the process. */
  private def pool: FilePool = SparkEnv.get.blockManager.diskStore match {
    case ours: HpcDiskStore if ours.pool.nonEmpty => ours.pool.get
    case _ => ownPool
  }

  private lazy val ownPool = {
    val size = FilePool.defaultSize(DescriptorLimit.ofProcess)
    new FilePool(size, IdleOrder.Lru, TimeUnit.MILLISECONDS.toNanos(conf.get(Hpc.POOL_TIMEOUT)))
  }
}
