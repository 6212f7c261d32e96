package org.apache.spark.storage.memory

import org.apache.spark.SparkConf
import org.apache.spark.memory.MemoryManager
import org.apache.spark.serializer.SerializerManager
import org.apache.spark.storage.BlockInfoManager

/** Keeps blocks in memory and chooses which to evict; so far as Spark does. */
private[spark] class HpcMemoryStore(
    conf: SparkConf,
    blockInfoManager: BlockInfoManager,
    serializerManager: SerializerManager,
    memoryManager: MemoryManager,
    blockEvictionHandler: BlockEvictionHandler
) extends MemoryStore(
      conf,
      blockInfoManager,
      serializerManager,
      memoryManager,
      blockEvictionHandler
    )
