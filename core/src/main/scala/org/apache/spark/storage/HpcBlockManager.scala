package org.apache.spark.storage

import org.apache.spark.{MapOutputTracker, SecurityManager, SparkConf, SparkEnv}
import org.apache.spark.hpc.Build
import org.apache.spark.memory.MemoryManager
import org.apache.spark.network.BlockTransferService
import org.apache.spark.network.shuffle.ExternalBlockStoreClient
import org.apache.spark.rpc.RpcEnv
import org.apache.spark.serializer.SerializerManager
import org.apache.spark.shuffle.ShuffleManager

/** The block manager of a patched Spark, on the driver and on each executor.
  *
  * It behaves as Spark's own, and refuses to start when the patch is in place only in part.
  */
private[spark] class HpcBlockManager(
    executorId: String,
    rpcEnv: RpcEnv,
    master: BlockManagerMaster,
    serializerManager: SerializerManager,
    conf: SparkConf,
    memoryManager: MemoryManager,
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
      memoryManager,
      mapOutputTracker,
      shuffleManager,
      blockTransferService,
      securityManager,
      externalBlockStoreClient
    ) {

  override def initialize(appId: String): Unit = {
    val patch = Patch.of(this)
    patch.requireWhole()
    super.initialize(appId)
    register(patch)
    logInfo(
      s"Spark-HPC ${Build.current.version} is in place on executor $executorId of $appId: " +
        patch.components.map(_.getClass.getSimpleName).mkString(", ")
    )
  }

  /** In its own environment's metrics only: a block manager made by a test or a tool has none. */
  private def register(patch: Patch): Unit =
    Option(SparkEnv.get)
      .filter(_.blockManager eq this)
      .foreach(_.metricsSystem.registerSource(new HpcSource(patch)))
}
