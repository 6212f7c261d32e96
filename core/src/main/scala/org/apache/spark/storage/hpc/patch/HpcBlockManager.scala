package org.apache.spark.storage.hpc.patch

import java.io.File

import org.apache.spark.{MapOutputTracker, SecurityManager, SparkConf, SparkContext, SparkEnv}
import org.apache.spark.TaskContext
import org.apache.spark.executor.ShuffleWriteMetrics
import org.apache.spark.hpc.Build
import org.apache.spark.internal.config.{Hpc, SHUFFLE_SYNC}
import org.apache.spark.memory.MemoryManager
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.ExecutorDiskUtils
import org.apache.spark.network.shuffle.ExternalBlockStoreClient
import org.apache.spark.rpc.RpcEnv
import org.apache.spark.serializer.{SerializerInstance, SerializerManager}
import org.apache.spark.shuffle.{PlacedOutput, PlacedOutputs, ShuffleManager}
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter
import org.apache.spark.storage.{BlockId, BlockManager, BlockManagerMaster, DiskBlockObjectWriter}
import org.apache.spark.storage.hpc.cache.{CacheSpilling, ObservedBlocks}
import org.apache.spark.storage.hpc.scratch.{HostLocalTiers, HpcDiskBlockManager}
import org.apache.spark.storage.hpc.spill.TieredWriter
import org.sparkhpc.tier.{ScratchFile, Tiers}

/** The block manager of a patched Spark, on the driver and on each executor.
  *
  * It refuses to start when the patch is in place only in part; [[CacheSpilling]] says what it does
  * otherwise than Spark's.
  */
private[spark] class HpcBlockManager(
    executorId: String,
    rpcEnv: RpcEnv,
    master: BlockManagerMaster,
    serializerManager: SerializerManager,
    conf: SparkConf,
    protected val memory: MemoryManager,
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
    with CacheSpilling
    with ObservedBlocks {

  private val onDriver = executorId == SparkContext.DRIVER_IDENTIFIER

  // Now, since the context reads the plugins before it initializes us.
  if (onDriver) {
    PlacedOutputs.check(shuffleManager, conf, sharedScratch)
    HpcPlugin.addTo(conf)
    conf.remove(Hpc.SCRATCH_DECIDED)
    scratch.flatMap(_.decided).foreach(conf.set(Hpc.SCRATCH_DECIDED, _))
  }

  private def scratch: Option[HpcDiskBlockManager] = HpcDiskBlockManager.of(diskBlockManager)

  /** The directory of this process in the first tier that other nodes see as well. */
  private def sharedScratch: Option[File] =
    scratch.flatMap(_.sharedTiers.headOption).map(_.directory)

  private val hostLocal = new HostLocalTiers

  private def tiers: Option[Tiers] = scratch.flatMap(_.tiers)

  /** A shuffle's output goes to its place, if it has one, and spills go to the tiers. What becomes an
    * output otherwise is renamed, so it is written at home.
    */
  override def getDiskWriter(
      blockId: BlockId,
      file: File,
      serializerInstance: SerializerInstance,
      bufferSize: Int,
      writeMetrics: ShuffleWriteMetricsReporter
  ): DiskBlockObjectWriter = {
    def toFile = fileWriter(blockId, file, serializerInstance, bufferSize, writeMetrics)
    writeMetrics match {
      case placed: PlacedOutput => placed.writer(blockId, file, bufferSize).getOrElse(toFile)
      case _ => toFile
    }
  }

  private def fileWriter(
      blockId: BlockId,
      file: File,
      serializerInstance: SerializerInstance,
      bufferSize: Int,
      writeMetrics: ShuffleWriteMetricsReporter
  ): DiskBlockObjectWriter = (file, tiers) match {
    case (spill: ScratchFile, Some(tiers)) if spill.isUntouched && !isOutput(writeMetrics) =>
      new TieredWriter(
        spill,
        tiers,
        serializerManager,
        serializerInstance,
        bufferSize,
        conf.get(SHUFFLE_SYNC),
        writeMetrics,
        blockId,
        spilled.giveRoom(_)
      )
    case _ => super.getDiskWriter(blockId, file, serializerInstance, bufferSize, writeMetrics)
  }

  /** Spills are counted by metrics of their own, outputs by their task's. */
  private def isOutput(metrics: ShuffleWriteMetricsReporter): Boolean = metrics match {
    case ofTask: ShuffleWriteMetrics =>
      Option(TaskContext.get()).exists(_.taskMetrics().shuffleWriteMetrics eq ofTask)
    case _: PlacedOutput => false
    case _ => true
  }

  /** In the other's tiers first; what isn't there may be at home, where Spark looks. A file that isn't as long as the
    * driver was told is being written, and Spark would take its end for the block's.
    */
  private[spark] override def readDiskBlockFromSameHostExecutor(
      blockId: BlockId,
      localDirs: Array[String],
      blockSize: Long
  ): Option[ManagedBuffer] =
    Some(blockSize).filter(_ > 0 && tiers.nonEmpty)
      .flatMap(size => hostLocal.find(localDirs.head, blockId, store.fileLength(size)))
      .map(store.bufferOf(_, blockSize))
      .orElse {
        super.readDiskBlockFromSameHostExecutor(blockId, localDirs, blockSize)
          .filter(_ => isWhole(blockId, localDirs, blockSize))
      }

  private def isWhole(blockId: BlockId, localDirs: Array[String], blockSize: Long): Boolean = {
    val subDirs = diskBlockManager.subDirsPerLocalDir
    val file = new File(ExecutorDiskUtils.getFilePath(localDirs, subDirs, blockId.name))
    file.length == store.fileLength(blockSize)
  }

  /** Not before map outputs are where they outlive this executor, if there is such a place. */
  private[spark] override def lastMigrationInfo(): (Long, Boolean) =
    if (PlacedOutputs.of(shuffleManager).forall(_.evacuate())) super.lastMigrationInfo()
    else (0, false)

  override def initialize(appId: String): Unit = {
    val patch = Patch.of(this)
    patch.requireWhole()
    // Only a process's own block manager speaks for the process; tests make others.
    val env = Option(SparkEnv.get).filter(_.blockManager eq this)
    if (env.nonEmpty && !onDriver) HpcPlugin.requireDriver(conf, executorId)
    super.initialize(appId)
    for (env <- env) {
      val source = new HpcSource(patch, spillCounts, hpcMemory, store.pool, tiers)
      source.metricRegistry.register("scratch.readOfOthers", readOfOthers)
      for (placed <- PlacedOutputs.of(shuffleManager))
        source.metricRegistry.register("shuffle", placed.metrics)
      env.metricsSystem.registerSource(source)
    }
    logInfo(
      s"Spark-HPC ${Build.current.version} is in place on executor $executorId of $appId: " +
        patch.components.map(_.getClass.getSimpleName).mkString(", ")
    )
    beginSpilling()
    store.mayUse = (blockId, tier) => levelOf(blockId).isEmpty || spilled.mayTake(tier)
  }

  override def stop(): Unit = {
    super.stop()
    store.pool.foreach(_.close())
  }
}
