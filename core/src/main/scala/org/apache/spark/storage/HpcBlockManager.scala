package org.apache.spark.storage

import org.apache.spark.{MapOutputTracker, SecurityManager, SparkConf, SparkContext, SparkEnv}
import org.apache.spark.hpc.Build
import org.apache.spark.internal.config.Hpc
import org.apache.spark.memory.MemoryManager
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.shuffle.ExternalBlockStoreClient
import org.apache.spark.rpc.RpcEnv
import org.apache.spark.serializer.SerializerManager
import org.apache.spark.shuffle.{PlacedOutputs, ShuffleManager}
import org.apache.spark.storage.memory.HpcMemoryStore

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
      PlacedOutputs.around(shuffleManager, blockTransferService),
      securityManager,
      externalBlockStoreClient
    )
    with CacheSpilling
    with ObservedBlocks {

  private val onDriver = executorId == SparkContext.DRIVER_IDENTIFIER

  // Now, since the context reads the plugins before it initializes us.
  if (onDriver) {
    Hpc.check(conf)
    PlacedOutputs.check(shuffleManager)
    HpcPlugin.addTo(conf)
  }

  override def initialize(appId: String): Unit = {
    val patch = Patch.of(this)
    patch.requireWhole()
    // Only a process's own block manager speaks for the process; tests make others.
    val env = Option(SparkEnv.get).filter(_.blockManager eq this)
    if (env.nonEmpty && !onDriver) HpcPlugin.requireDriver(conf, executorId)
    super.initialize(appId)
    val evictions = memoryStore.asInstanceOf[HpcMemoryStore].evictions
    env.foreach(_.metricsSystem.registerSource(new HpcSource(patch, spillCounts, evictions)))
    logInfo(
      s"Spark-HPC ${Build.current.version} is in place on executor $executorId of $appId: " +
        patch.components.map(_.getClass.getSimpleName).mkString(", ")
    )
    beginSpilling()
  }
}
