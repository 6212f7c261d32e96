package org.apache.spark.storage.hpc.patch

import java.io.File

import scala.reflect.ClassTag

import org.apache.spark.{
  MapOutputTracker,
  SecurityManager,
  SparkConf,
  SparkContext,
  SparkEnv,
  TaskContext
}
import org.apache.spark.hpc.Build
import org.apache.spark.internal.config.Hpc
import org.apache.spark.memory.MemoryManager
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.client.StreamCallbackWithID
import org.apache.spark.network.shuffle.ExternalBlockStoreClient
import org.apache.spark.rpc.RpcEnv
import org.apache.spark.serializer.{SerializerInstance, SerializerManager}
import org.apache.spark.shuffle.{PlacedOutputs, ShuffleManager, ShuffleWriteMetricsReporter}
import org.apache.spark.storage._
import org.apache.spark.storage.hpc.cache.SpillingCache
import org.apache.spark.storage.hpc.disk.{HostLocalReads, HpcDiskStore}
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.apache.spark.storage.hpc.spill.DiskWriters
import org.apache.spark.storage.memory.hpc.{EvictionAdvice, HpcMemoryStore}
import org.apache.spark.util.io.ChunkedByteBuffer

/** The block manager of a patched Spark, on the driver and on each executor.
  *
  * It refuses to start when the patch is in place only in part. It delegates what differs from Spark's block manager:
  * to a [[SpillingCache]] for cached blocks, to [[DiskWriters]] for spills and map outputs, and to [[HostLocalReads]].
  */
private[spark] class HpcBlockManager(
    executorId: String,
    rpcEnv: RpcEnv,
    master: BlockManagerMaster,
    serializerManager: SerializerManager,
    conf: SparkConf,
    memory: MemoryManager,
    mapOutputTracker: MapOutputTracker,
    shuffleManager: ShuffleManager,
    blockTransferService: BlockTransferService,
    securityManager: SecurityManager,
    externalBlockStoreClient: Option[ExternalBlockStoreClient]
) extends BlockManager(
      executorId,
      rpcEnv,
      master,
      serializerManager,
      conf,
      memory,
      mapOutputTracker,
      shuffleManager,
      PlacedOutputs.of(shuffleManager).fold(blockTransferService)(_.around(blockTransferService)),
      securityManager,
      externalBlockStoreClient
    )
    with EvictionAdvice.Advised
    with SpillingCache.Owner {

  private[storage] override val cache = new SpillingCache(this, memory)
  private[storage] override def advice: EvictionAdvice = cache.advice

  private val onDriver = executorId == SparkContext.DRIVER_IDENTIFIER

  // In the constructor: the context reads the list of plug-ins before it initializes the block manager.
  if (onDriver) {
    PlacedOutputs.check(shuffleManager, conf, sharedScratch)
    SameBuild.addPluginTo(conf)
    conf.remove(Hpc.SCRATCH_DECIDED)
    scratch.flatMap(_.decided).foreach(conf.set(Hpc.SCRATCH_DECIDED, _))
  }

  private def scratch: Option[HpcDiskBlockManager] = HpcDiskBlockManager.of(diskBlockManager)

  private def tiers = scratch.flatMap(_.tiers)

  /** The directory of this process in the first tier that other nodes see as well. */
  private def sharedScratch: Option[File] =
    scratch.flatMap(_.sharedTiers.headOption).map(_.directory)

  // Lazy: if the patch is in place only in part, these are Spark's own.
  private lazy val store = diskStore.asInstanceOf[HpcDiskStore]
  private lazy val hostLocal = new HostLocalReads(store, diskBlockManager)
  private val writers =
    new DiskWriters(conf, tiers, serializerManager, cache.giveRoom)

  override def getDiskWriter(
      blockId: BlockId,
      file: File,
      serializerInstance: SerializerInstance,
      bufferSize: Int,
      writeMetrics: ShuffleWriteMetricsReporter
  ): DiskBlockObjectWriter =
    writers.of(blockId, file, serializerInstance, bufferSize, writeMetrics) {
      super.getDiskWriter(blockId, file, serializerInstance, bufferSize, writeMetrics)
    }

  private[spark] override def readDiskBlockFromSameHostExecutor(
      blockId: BlockId,
      localDirs: Array[String],
      blockSize: Long
  ): Option[ManagedBuffer] = hostLocal.read(blockId, localDirs, blockSize) {
    super.readDiskBlockFromSameHostExecutor(blockId, localDirs, blockSize)
  }

  override def getLocalValues(blockId: BlockId): Option[BlockResult] =
    cache.values(blockId)(super.getLocalValues(blockId))

  override def getLocalBytes(blockId: BlockId): Option[BlockData] =
    cache.bytes(blockId)(super.getLocalBytes(blockId))

  private[spark] override def getRemoteBlock[T](
      blockId: BlockId,
      bufferTransformer: ManagedBuffer => T
  ): Option[T] =
    cache.remote(blockId, bufferTransformer)(super.getRemoteBlock(blockId, bufferTransformer))

  override def getOrElseUpdateRDDBlock[T](
      taskId: Long,
      blockId: RDDBlockId,
      level: StorageLevel,
      classTag: ClassTag[T],
      makeIterator: () => Iterator[T]
  ): Either[BlockResult, Iterator[T]] =
    cache.getOrElseUpdate(taskId, blockId, level, classTag, makeIterator)(
      super.getOrElseUpdateRDDBlock(taskId, blockId, _, classTag, _)
    )

  override def releaseLock(blockId: BlockId, taskContext: Option[TaskContext] = None): Unit = {
    super.releaseLock(blockId, taskContext)
    cache.released(blockId)
  }

  override def releaseAllLocksForTask(taskAttemptId: Long): Seq[BlockId] = {
    val released = super.releaseAllLocksForTask(taskAttemptId)
    released.foreach(cache.released)
    released
  }

  override def putBlockData(
      blockId: BlockId,
      data: ManagedBuffer,
      level: StorageLevel,
      classTag: ClassTag[_]
  ): Boolean = cache.sent(blockId, level)(super.putBlockData(blockId, data, _, classTag))

  override def putBlockDataAsStream(
      blockId: BlockId,
      level: StorageLevel,
      classTag: ClassTag[_]
  ): StreamCallbackWithID =
    cache.sentInPieces(blockId, level)(super.putBlockDataAsStream(blockId, _, classTag))

  override def replicateBlock(
      blockId: BlockId,
      existingReplicas: Set[BlockManagerId],
      maxReplicas: Int,
      maxReplicationFailures: Option[Int]
  ): Boolean = cache.replicate(blockId) {
    super.replicateBlock(blockId, existingReplicas, maxReplicas, maxReplicationFailures)
  }

  private[storage] override def dropFromMemory[T: ClassTag](
      blockId: BlockId,
      data: () => Either[Array[T], ChunkedByteBuffer]
  ): StorageLevel = cache.drop(blockId)(super.dropFromMemory(blockId, data))

  override def getStatus(blockId: BlockId): Option[BlockStatus] =
    cache.status(super.getStatus(blockId))

  private[spark] override def reportBlockStatus(
      blockId: BlockId,
      status: BlockStatus,
      droppedMemorySize: Long = 0L
  ): Unit = cache.report(blockId)(super.reportBlockStatus(blockId, status, droppedMemorySize))

  override def reregister(): Unit = cache.reregister(super.reregister())

  override def removeRdd(rddId: Int): Int = {
    val removed = super.removeRdd(rddId)
    cache.forget(rddId)
    removed
  }

  /** Reports no finished migration before map outputs are in a place that outlives this executor, if there is one. */
  private[spark] override def lastMigrationInfo(): (Long, Boolean) =
    if (PlacedOutputs.of(shuffleManager).forall(_.evacuate())) super.lastMigrationInfo()
    else (0, false)

  override def initialize(appId: String): Unit = {
    val patch = Patch.of(this)
    patch.requireWhole()
    // Only the process's own block manager represents the process; tests create others.
    val env = Option(SparkEnv.get).filter(_.blockManager eq this)
    if (env.nonEmpty && !onDriver) SameBuild.requireDriver(conf, executorId)
    super.initialize(appId)
    for (env <- env) {
      val shuffle = PlacedOutputs.of(shuffleManager).map(_.metrics)
      val inMemory = memoryStore.asInstanceOf[HpcMemoryStore]
      val source = new HpcSource(patch, cache, inMemory, store.pool, tiers, shuffle)
      env.metricsSystem.registerSource(source)
    }
    logInfo(
      s"Spark-HPC ${Build.current.version} is in place on executor $executorId of $appId: " +
        patch.components.map(_.getClass.getSimpleName).mkString(", ")
    )
    cache.begin()
  }

  override def stop(): Unit = {
    cache.stop()
    super.stop()
    store.pool.foreach(_.close())
  }
}
