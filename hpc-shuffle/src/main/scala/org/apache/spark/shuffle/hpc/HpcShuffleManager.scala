package org.apache.spark.shuffle.hpc

import java.io.File
import java.util.concurrent.{ConcurrentHashMap, TimeUnit}

import com.codahale.metrics.MetricSet
import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, MapOutputTrackerWorker}
import org.apache.spark.{SPARK_VERSION, SparkConf, SparkEnv, TaskContext}
import org.apache.spark.hpc.Build
import org.apache.spark.internal.config.{Hpc, SHUFFLE_MANAGER}
import org.apache.spark.internal.config.STORAGE_DECOMMISSION_SHUFFLE_MAX_THREADS
import org.apache.spark.network.BlockTransferService
import org.apache.spark.shuffle.{
  BaseShuffleHandle,
  IndexShuffleBlockResolver,
  MovedOutput,
  MovedOutputs,
  PlacedOutputs,
  ShuffleHandle,
  ShuffleWriteMetricsReporter,
  ShuffleWriter
}
import org.apache.spark.shuffle.hpc.loss.{EvacuatedOutputs, Evacuation, GlobalCopies, Sweep}
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.{
  GlobalPlacement,
  GlobalPlaces,
  NeighbourList,
  OutputDirectory,
  OwnContainers,
  PrivatePlacement,
  PrivatePlaces
}
import org.apache.spark.shuffle.hpc.read.{
  ContainerFiles,
  HeldBytes,
  OutputSizes,
  Routes,
  RoutingTransferService
}
import org.apache.spark.shuffle.hpc.read.NewPlaces
import org.apache.spark.shuffle.hpc.serve.{GlobalBlockResolver, PrivateBlockResolver}
import org.apache.spark.shuffle.hpc.write.{
  BucketedWriter,
  ContainerExecutorComponents,
  PlacedMetrics,
  PlacedWriter
}
import org.apache.spark.shuffle.sort.{BypassMergeSortShuffleHandle, SortShuffleManager}
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.apache.spark.util.collection.OpenHashSet
import org.sparkhpc.file.{DescriptorLimit, FilePool, IdleOrder}

/** Spark's sort shuffle, whose map outputs are in few containers, and can live on the shared file system:
  * for `spark.shuffle.manager`.
  *
  * It extends the sort shuffle manager because SQL copies every record for any other.
  */
private[spark] final class HpcShuffleManager(conf: SparkConf, isDriver: Boolean)
    extends SortShuffleManager(conf)
    with PlacedOutputs {

  // Spark makes this by reflection, which would wrap what is thrown here: check comes later.
  private val isGlobal = conf.getOption(Hpc.SHUFFLE_PLACEMENT.key).contains("global")
  if (isDriver) {
    if (isGlobal) GlobalPlacement.prepare(conf) else PrivatePlacement.prepare(conf)
  }
  private val isContained = isGlobal || PrivatePlacement.isChosen(conf)

  // The driver made it, and needn't look for its own token.
  private lazy val directory =
    if (isGlobal && !isDriver) GlobalPlacement.open(conf)
    else new OutputDirectory(GlobalPlacement.path(conf).get)
  private[hpc] val counts = new RouteCounts
  private[hpc] val files = new ContainerFiles(pool, counts)

  /** Where this process writes its map outputs. */
  private[hpc] val own = new OwnContainers(if (isGlobal) globalPlaces else privatePlaces)

  private def globalPlaces =
    new GlobalPlaces(directory, GlobalPlacement.isForced(conf), SparkEnv.get.executorId)

  private def disk: HpcDiskBlockManager =
    SparkEnv.get.blockManager.diskBlockManager.asInstanceOf[HpcDiskBlockManager]

  private def privatePlaces = new PrivatePlaces(disk, new NeighbourList(disk.localDirs.head))

  // Not before it is known whether there is a directory for it.
  private lazy val evacuation: Option[Evacuation] =
    GlobalPlacement.path(conf).filter(_ => PrivatePlacement.isEvacuated(conf)).map { path =>
      def tier = disk.sharedTiers.find(_.forAll.exists(_.getParentFile.toPath == path))
      def forced = GlobalPlacement.isForced(conf)
      def executor = SparkEnv.get.blockManager.blockManagerId
      val copies = new GlobalCopies(files, directory, tier, forced, executor, counts)
      val threads = conf.get(STORAGE_DECOMMISSION_SHUFFLE_MAX_THREADS)
      new Evacuation(own, copies, threads, counts, tellDriver(_))
    }

  override def evacuate(): Boolean = evacuation.forall(_.move())

  /** What is moved isn't sent to others. */
  private def left: Seq[(Int, Long)] = {
    if (SparkEnv.get.blockManager.decommissioner.nonEmpty) evacuation.foreach(_.moveNew())
    evacuation.fold(own.outputs)(_.left)
  }

  private val evacuated = new EvacuatedOutputs(directory)

  override def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput] =
    evacuated.moved(outputs, tracker)

  override def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit =
    evacuated.registered(mapTaskId, tracker)

  // Of what decommissioned executors sent here.
  private val received = new ConcurrentHashMap[Int, OpenHashSet[Long]]

  private val held = HeldBytes.ofThisProcess

  private lazy val global = new GlobalBlockResolver(conf, files, own, held)

  override val shuffleBlockResolver: IndexShuffleBlockResolver =
    if (isGlobal) global
    else if (isContained) new PrivateBlockResolver(conf, files, own, held, received, () => left)
    else new IndexShuffleBlockResolver(conf, taskIdMapsForShuffle = received)

  /** That of the block manager: then there is one bound on the process's files. */
  private def pool: FilePool = SparkEnv.get.blockManager.diskStore match {
    case ours: HpcDiskStore if ours.pool.nonEmpty => ours.pool.get
    case _ => ownPool
  }

  private lazy val ownPool = {
    val size = FilePool.defaultSize(DescriptorLimit.ofProcess)
    new FilePool(size, IdleOrder.Lru, TimeUnit.MILLISECONDS.toNanos(conf.get(Hpc.POOL_TIMEOUT)))
  }

  override def getWriter[K, V](
      handle: ShuffleHandle,
      mapId: Long,
      context: TaskContext,
      metrics: ShuffleWriteMetricsReporter
  ): ShuffleWriter[K, V] =
    if (isContained) {
      val shuffle = handle.shuffleId
      val writer = contained[K, V](handle, mapId, context, metrics)
      if (isGlobal) new PlacedWriter(writer, global.placeOf(shuffle, mapId)) else writer
    } else {
      super.getWriter[K, V](handle, mapId, context, metrics)
    }

  private def contained[K, V](
      handle: ShuffleHandle,
      mapId: Long,
      context: TaskContext,
      metrics: ShuffleWriteMetricsReporter
  ): ShuffleWriter[K, V] = handle match {
    // Spark's writer would make a file for each reducer.
    case few: BypassMergeSortShuffleHandle[K @unchecked, V @unchecked] =>
      val outputs = new ContainerExecutorComponents(own, counts)
      new BucketedWriter(few, mapId, context, metrics, outputs)
    case its: BaseShuffleHandle[_, _, _] =>
      val partitions = its.dependency.partitioner.numPartitions
      val placed =
        new PlacedMetrics(metrics, () => own.beginSorted(its.shuffleId, mapId, partitions))
      super.getWriter[K, V](handle, mapId, context, placed)
  }

  override def unregisterShuffle(shuffleId: Int): Boolean = {
    Option(received.remove(shuffleId)).foreach { mapIds =>
      shuffleBlockResolver match {
        case contained: PrivateBlockResolver =>
          mapIds.iterator.foreach(contained.removeReceived(shuffleId, _))
        case files => mapIds.iterator.foreach(files.removeDataByMap(shuffleId, _))
      }
    }
    own.forget(shuffleId)
    evacuation.foreach(_.forget(shuffleId))
    if (isDriver) evacuated.remove(shuffleId)
    files.forget(shuffleId)
    super.unregisterShuffle(shuffleId)
  }

  override def stop(): Unit = {
    super.stop()
    own.close()
    evacuation.foreach(_.close())
    files.close()
  }

  override def check(shared: Option[File]): Unit = {
    HpcShuffleManager.requireRelease(running = SPARK_VERSION, built = Build.current.spark)
    if (isGlobal) GlobalPlacement.check(conf)
    else if (PrivatePlacement.isEvacuated(conf)) shared.foreach(GlobalPlacement.choose(conf, _))
  }

  override def around(network: BlockTransferService): BlockTransferService =
    if (isGlobal || PrivatePlacement.isEvacuated(conf)) {
      val sizes = new OutputSizes(shuffle =>
        Some(SparkEnv.get.mapOutputTracker).collect { case its: MapOutputTrackerWorker => its }
          .flatMap(_.mapStatuses.get(shuffle))
      )
      def executor = SparkEnv.get.executorId
      // What isn't there from the beginning is there because its executor goes.
      val asWanted = if (isGlobal) conf else conf.clone.set(Hpc.SHUFFLE_ROUTE, "direct")
      val routes = new Routes(asWanted, network, directory, files, sizes, executor, counts, held)
      def statuses(shuffle: Int) = SparkEnv.get.mapOutputTracker match {
        case its: MapOutputTrackerWorker => NewPlaces.statuses(its)(shuffle)
        case _ => Nil
      }
      val newPlaces = if (isGlobal) None else Some(new NewPlaces(routes, statuses(_)))
      new RoutingTransferService(network, routes, newPlaces)
    } else {
      network
    }

  override def metrics: MetricSet = new ShuffleMetrics(counts, own, files, held)

  override def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit =
    if (isGlobal || evacuation.nonEmpty) new Sweep(directory, files, tracker).after(failed)
}

private[hpc] object HpcShuffleManager {

  /** An IllegalArgumentException on another Spark, to which the agent may have brought it. */
  def requireRelease(running: String, built: String): Unit =
    if (running != built) {
      throw new IllegalArgumentException(
        s"${SHUFFLE_MANAGER.key} is ${classOf[HpcShuffleManager].getName}, which is for Spark $built, and " +
          s"this is Spark $running: leave the setting out, or take a Spark-HPC for Spark $running"
      )
    }
}
