package org.apache.spark.shuffle.hpc

import java.io.File
import java.nio.file.Path

import com.codahale.metrics.MetricSet
import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, SparkConf, TaskContext}
import org.apache.spark.network.BlockTransferService
import org.apache.spark.shuffle.{
  IndexShuffleBlockResolver,
  MovedOutput,
  MovedOutputs,
  PlacedOutputs,
  ShuffleHandle,
  ShuffleWriteMetricsReporter,
  ShuffleWriter
}
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OwnContainers
import org.apache.spark.shuffle.hpc.read.ContainerFiles
import org.apache.spark.shuffle.hpc.write.ContainerOwner
import org.apache.spark.shuffle.sort.SortShuffleManager

/** Spark's sort shuffle with map outputs where a [[Placement]] puts them. It is the value of `spark.shuffle.manager`.
  *
  * It extends SortShuffleManager because SQL copies every record for any other shuffle manager.
  */
private[spark] final class HpcShuffleManager(conf: SparkConf, isDriver: Boolean)
    extends SortShuffleManager(conf)
    with PlacedOutputs
    with ContainerOwner {

  private val process = new ShuffleProcess(conf, isDriver)
  private val placement = Placement.of(process, told => tellDriver(told))

  override def counts: RouteCounts = process.counts
  private[hpc] def files: ContainerFiles = process.files
  override def own: OwnContainers = placement.own

  override val shuffleBlockResolver: IndexShuffleBlockResolver = placement.resolver

  override def directory: Option[Path] = placement.shared

  override def check(shared: Option[File]): Unit = placement.check(shared)

  override def getWriter[K, V](
      handle: ShuffleHandle,
      mapId: Long,
      context: TaskContext,
      metrics: ShuffleWriteMetricsReporter
  ): ShuffleWriter[K, V] =
    placement.writer[K, V](handle, mapId, context, metrics) { reporter =>
      super.getWriter[K, V](handle, mapId, context, reporter)
    }

  override def unregisterShuffle(shuffleId: Int): Boolean = {
    placement.forget(shuffleId)
    files.forget(shuffleId)
    super.unregisterShuffle(shuffleId)
  }

  override def stop(): Unit = {
    super.stop()
    placement.close()
    files.close()
  }

  override def around(network: BlockTransferService): BlockTransferService =
    placement.around(network)

  override def metrics: MetricSet = new ShuffleMetrics(counts, own, files, process.held)

  override def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit =
    placement.lost(failed, tracker)

  override def evacuate(): Boolean = placement.evacuate()

  override def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput] =
    placement.moved(outputs, tracker)

  override def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit =
    placement.registered(mapTaskId, tracker)
}
