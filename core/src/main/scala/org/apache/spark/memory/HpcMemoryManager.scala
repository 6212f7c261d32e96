package org.apache.spark.memory

import org.apache.spark.SparkConf
import org.apache.spark.internal.config

/** Spark's memory manager, except that a [[RoomMaker]] prepares cached blocks for eviction before execution memory of a
  * task evicts them.
  */
private[spark] class HpcMemoryManager(
    conf: SparkConf,
    maxHeapMemory: Long,
    onHeapStorageRegionSize: Long,
    numCores: Int
) extends UnifiedMemoryManager(conf, maxHeapMemory, onHeapStorageRegionSize, numCores) {

  @volatile private var maker: Option[RoomMaker] = None

  /** To be called once, when blocks can be written. */
  def attach(maker: RoomMaker): Unit = this.maker = Some(maker)

  override private[memory] def acquireExecutionMemory(
      numBytes: Long,
      taskAttemptId: Long,
      memoryMode: MemoryMode
  ): Long = {
    def acquire() = super.acquireExecutionMemory(numBytes, taskAttemptId, memoryMode)
    maker match {
      case Some(maker) =>
        val bytes = toEvict(numBytes, memoryMode)
        if (bytes > 0) maker.withRoom(bytes, memoryMode)(acquire()) else acquire()
      case None => acquire()
    }
  }

  /** The bytes that Spark evicts for such a request: only what storage has borrowed beyond its own region. */
  private def toEvict(numBytes: Long, mode: MemoryMode): Long = synchronized {
    val (execution, storage, region) = mode match {
      case MemoryMode.ON_HEAP =>
        (onHeapExecutionMemoryPool, onHeapStorageMemoryPool, onHeapStorageRegionSize)
      case MemoryMode.OFF_HEAP =>
        (offHeapExecutionMemoryPool, offHeapStorageMemoryPool, offHeapStorageMemory)
    }
    val reclaimable = math.max(storage.memoryFree, storage.poolSize - region)
    math.min(numBytes - execution.memoryFree, reclaimable) - storage.memoryFree
  }
}

private[spark] object HpcMemoryManager {

  /** Replaces Spark's memory manager in `SparkEnv.create`, with the same amount of memory. */
  def of(stock: UnifiedMemoryManager.type, conf: SparkConf, cores: Int): UnifiedMemoryManager = {
    val memory = stock(conf, cores).maxHeapMemory
    val region = (memory * conf.get(config.MEMORY_STORAGE_FRACTION)).toLong
    new HpcMemoryManager(conf, memory, region, cores)
  }
}
