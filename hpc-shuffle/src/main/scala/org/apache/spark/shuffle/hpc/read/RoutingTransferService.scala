package org.apache.spark.shuffle.hpc.read

import java.util.{Map => JMap}
import java.util.concurrent.CompletableFuture

import scala.concurrent.Future
import scala.reflect.ClassTag

import com.codahale.metrics.MetricSet

import org.apache.spark.SparkContext
import org.apache.spark.network.{BlockDataManager, BlockTransferService}
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.{
  BlockFetchingListener,
  BlockPushingListener,
  DownloadFileManager,
  MergeFinalizerListener,
  MergedBlocksMetaListener
}
import org.apache.spark.network.shuffle.checksum.Cause
import org.apache.spark.shuffle.hpc.place.OutputPlace
import org.apache.spark.storage.{BlockId, StorageLevel}

/** A block transfer service that fetches map outputs in shared containers by [[Routes]], and everything else by Spark's
  * own service.
  *
  * @param newPlaces finds outputs that their executors have moved; None if they don't move
  */
private[hpc] final class RoutingTransferService(
    network: BlockTransferService,
    routes: Routes,
    newPlaces: Option[NewPlaces] = None
) extends BlockTransferService {

  override def fetchBlocks(
      host: String,
      port: Int,
      executorId: String,
      blockIds: Array[String],
      listener: BlockFetchingListener,
      files: DownloadFileManager
  ): Unit = OutputPlace.of(executorId, port) match {
    case Some(place) => routes.fetch(place, blockIds.toSeq, listener, files)
    case None if isCopy(executorId, blockIds) =>
      val from = NetworkRoute.Owner(executorId, host, port)
      routes.fetchCopy(from, blockIds.toSeq, listener, files)
    case None =>
      def ask(listener: BlockFetchingListener): Unit =
        network.fetchBlocks(host, port, executorId, blockIds, listener, files)
      newPlaces.filter(_ => blockIds.forall(_.startsWith("shuffle_")))
        .fold(ask(listener))(_.fetch(blockIds.toSeq, listener, files)(ask(_)))
  }

  /** Whether an executor is asked for blocks of broadcasts. Spark asks executors before the driver, and waits for each
    * as long as spark.network.timeout, even if it is gone.
    */
  private def isCopy(executorId: String, blockIds: Array[String]): Boolean =
    executorId != SparkContext.DRIVER_IDENTIFIER && blockIds.forall(BlockId(_).isBroadcast)

  override def diagnoseCorruption(
      host: String,
      port: Int,
      executorId: String,
      shuffleId: Int,
      mapId: Long,
      reduceId: Int,
      checksum: Long,
      algorithm: String
  ): Cause = {
    val (owner, at) =
      OutputPlace.of(executorId, port).fold((executorId, host))(place =>
        (place.executor, place.host)
      )
    network.diagnoseCorruption(at, port, owner, shuffleId, mapId, reduceId, checksum, algorithm)
  }

  override def close(): Unit =
    try {
      newPlaces.foreach(_.stop())
      routes.stop()
    } finally network.close()

  override def init(blocks: BlockDataManager): Unit = network.init(blocks)

  override def port: Int = network.port

  override def hostName: String = network.hostName

  override def shuffleMetrics(): MetricSet = network.shuffleMetrics()

  override def setAppAttemptId(id: String): Unit = network.setAppAttemptId(id)

  override def getAppAttemptId: String = network.getAppAttemptId

  override def uploadBlock(
      host: String,
      port: Int,
      executorId: String,
      blockId: BlockId,
      data: ManagedBuffer,
      level: StorageLevel,
      classTag: ClassTag[_]
  ): Future[Unit] =
    network.uploadBlock(host, port, executorId, blockId, data, level, classTag)

  override def getHostLocalDirs(
      host: String,
      port: Int,
      executorIds: Array[String],
      answer: CompletableFuture[JMap[String, Array[String]]]
  ): Unit = network.getHostLocalDirs(host, port, executorIds, answer)

  override def pushBlocks(
      host: String,
      port: Int,
      blockIds: Array[String],
      buffers: Array[ManagedBuffer],
      listener: BlockPushingListener
  ): Unit = network.pushBlocks(host, port, blockIds, buffers, listener)

  override def finalizeShuffleMerge(
      host: String,
      port: Int,
      shuffleId: Int,
      shuffleMergeId: Int,
      listener: MergeFinalizerListener
  ): Unit = network.finalizeShuffleMerge(host, port, shuffleId, shuffleMergeId, listener)

  override def getMergedBlockMeta(
      host: String,
      port: Int,
      shuffleId: Int,
      shuffleMergeId: Int,
      reduceId: Int,
      listener: MergedBlocksMetaListener
  ): Unit =
    network.getMergedBlockMeta(host, port, shuffleId, shuffleMergeId, reduceId, listener)

  override def removeShuffleMerge(
      host: String,
      port: Int,
      shuffleId: Int,
      shuffleMergeId: Int
  ): Boolean = network.removeShuffleMerge(host, port, shuffleId, shuffleMergeId)
}
