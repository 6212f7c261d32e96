package org.apache.spark.shuffle.hpc

import java.util.concurrent.ConcurrentHashMap

import com.codahale.metrics.MetricSet
import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, ShuffleDependency, SparkConf}
import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.network.BlockTransferService
import org.apache.spark.shuffle.{
  BaseShuffleHandle,
  IndexShuffleBlockResolver,
  PlacedOutputs,
  ShuffleHandle,
  ShuffleWriteMetricsReporter,
  ShuffleWriter
}
import org.apache.spark.shuffle.sort.{
  BypassMergeSortShuffleHandle,
  SerializedShuffleHandle,
  SortShuffleManager
}
import org.apache.spark.util.collection.OpenHashSet

/** Spark's sort shuffle, whose map outputs can live on the shared file system: for
  * `spark.shuffle.manager`.
  *
  * With `spark.hpc.shuffle.placement=fastest` it is Spark's own. It extends the sort shuffle manager
  * because SQL copies every record for any other.
  */
private[spark] final class HpcShuffleManager(conf: SparkConf, isDriver: Boolean)
    extends SortShuffleManager(conf)
    with PlacedOutputs {

  // Spark makes this by reflection, which would wrap what is thrown here: check comes later.
  private val isGlobal = conf.getOption(Hpc.SHUFFLE_PLACEMENT.key).contains("global")
  if (isGlobal && isDriver) GlobalPlacement.prepare(conf)

  private lazy val files = new OutputFiles(directory)
  private lazy val directory = GlobalPlacement.open(conf)

  private val counts = new RouteCounts

  // Of what decommissioned executors sent here.
  private val received = new ConcurrentHashMap[Int, OpenHashSet[Long]]

  override val shuffleBlockResolver: IndexShuffleBlockResolver =
    if (isGlobal) new GlobalBlockResolver(conf, directory)
    else new IndexShuffleBlockResolver(conf, taskIdMapsForShuffle = received)

  override def registerShuffle[K, V, C](
      shuffleId: Int,
      dependency: ShuffleDependency[K, V, C]
  ): ShuffleHandle = super.registerShuffle(shuffleId, dependency) match {
    // It makes a file for each reducer.
    case _: BypassMergeSortShuffleHandle[_, _] if isGlobal =>
      if (SortShuffleManager.canUseSerializedShuffle(dependency)) {
        new SerializedShuffleHandle(
          shuffleId,
          dependency.asInstanceOf[ShuffleDependency[K, V, V]]
        )
      } else {
        new BaseShuffleHandle(shuffleId, dependency)
      }
    case handle => handle
  }

  override def getWriter[K, V](
      handle: ShuffleHandle,
      mapId: Long,
      context: TaskContext,
      metrics: ShuffleWriteMetricsReporter
  ): ShuffleWriter[K, V] = {
    val writer = super.getWriter[K, V](handle, mapId, context, metrics)
    if (isGlobal) {
      val own = SparkEnv.get.blockManager.blockManagerId
      val place = OutputPlace(own.executorId, handle.shuffleId, own.host, own.port)
      new PlacedWriter(writer, place)
    } else {
      writer
    }
  }

  override def unregisterShuffle(shuffleId: Int): Boolean = {
    Option(received.remove(shuffleId)).foreach { mapIds =>
      mapIds.iterator.foreach(shuffleBlockResolver.removeDataByMap(shuffleId, _))
    }
    super.unregisterShuffle(shuffleId)
  }

  override def check(): Unit = if (isGlobal) GlobalPlacement.check(conf)

  override def around(network: BlockTransferService): BlockTransferService =
    if (isGlobal) {
      val routes = new Routes(conf, network, files, SparkEnv.get.executorId, counts)
      new RoutingTransferService(network, routes)
    } else {
      network
    }

  override def metrics: MetricSet = counts

  override def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit =
    if (isGlobal) new Sweep(files, tracker).after(failed)
}
