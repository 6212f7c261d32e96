package org.apache.spark.storage

import org.apache.spark.SparkEnv
import org.apache.spark.memory.MemoryManager
import org.apache.spark.network.netty.NettyBlockTransferService
import org.apache.spark.storage.hpc.patch.HpcBlockManager

/** A second block manager, beside the context's own: what some of Spark's tests have. */
private[storage] trait AnotherManager {

  def withAnother[A](env: SparkEnv)(test: HpcBlockManager => A): A =
    withAnother(env, env.memoryManager)(test)

  def withAnother[A](env: SparkEnv, memory: MemoryManager)(test: HpcBlockManager => A): A = {
    val transfer =
      new NettyBlockTransferService(
        env.conf,
        env.securityManager,
        env.serializerManager,
        "localhost",
        "localhost",
        0,
        1
      )
    val other = new HpcBlockManager(
      "another",
      env.rpcEnv,
      env.blockManager.master,
      env.serializerManager,
      env.conf,
      memory,
      env.mapOutputTracker,
      env.shuffleManager,
      transfer,
      env.securityManager,
      None
    )
    try test(other)
    finally other.stop()
  }
}
