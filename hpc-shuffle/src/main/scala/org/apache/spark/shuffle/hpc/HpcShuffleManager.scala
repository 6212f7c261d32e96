package org.apache.spark.shuffle.hpc

import java.util.concurrent.{ConcurrentHashMap, TimeUnit}

import com.codahale.metrics.MetricSet
import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, ShuffleDependency, SparkConf}
import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.hpc.file.{DescriptorLimit, FilePool, IdleOrder}
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
import org.apache.spark.storage.HpcDiskStore
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

  private lazy val directory = GlobalPlacement.open(conf)
  private[hpc] val counts = new RouteCounts
  private[hpc] val files = new ContainerFiles(directory, pool, counts)

  /** Where this process writes its map outputs. */
  private[hpc] val own =
    new OwnContainers(directory, GlobalPlacement.isForced(conf), SparkEnv.get.executorId)

  // Of what decommissioned executors sent here.
  private val received = new ConcurrentHashMap[Int, OpenHashSet[Long]]

  private lazy val global = new GlobalBlockResolver(conf, files, own)

  override val shuffleBlockResolver: IndexShuffleBlockResolver =
    if (isGlobal) global else new IndexShuffleBlockResolver(conf, taskIdMapsForShuffle = received)

  /** That of the block manager: then there is one bound on the process's files. */
  private def pool: FilePool = SparkEnv.get.blockManager.diskStore match {
    case ours: HpcDiskStore if ours.pool.nonEmpty => ours.pool.get
    case _ => ownPool
  }

  private lazy val ownPool = {
    val size = FilePool.defaultSize(DescriptorLimit.ofProcess)
    new FilePool(size, IdleOrder.Lru, TimeUnit.MILLISECONDS.toNanos(conf.get(Hpc.POOL_TIMEOUT)))
  }

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
  ): ShuffleWriter[K, V] =
    if (isGlobal) {
      val shuffle = handle.shuffleId
      val partitions =
        handle.asInstanceOf[BaseShuffleHandle[K, V, _]].dependency.partitioner.numPartitions
      val placed = new PlacedMetrics(metrics, () => own.beginSorted(shuffle, mapId, partitions))
      val writer = super.getWriter[K, V](handle, mapId, context, placed)
      new PlacedWriter(writer, global.placeOf(shuffle, mapId))
    } else {
      super.getWriter[K, V](handle, mapId, context, metrics)
    }

  override def unregisterShuffle(shuffleId: Int): Boolean = {
    Option(received.remove(shuffleId)).foreach { mapIds =>
      mapIds.iterator.foreach(shuffleBlockResolver.removeDataByMap(shuffleId, _))
    }
    own.forget(shuffleId)
    files.forget(shuffleId)
    super.unregisterShuffle(shuffleId)
  }

  override def stop(): Unit = {
    super.stop()
    own.close()
    files.close()
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
