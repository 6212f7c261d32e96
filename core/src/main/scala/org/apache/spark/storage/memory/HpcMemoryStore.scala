package org.apache.spark.storage.memory

import scala.reflect.ClassTag

import org.apache.spark.SparkConf
import org.apache.spark.memory.{MemoryManager, MemoryMode}
import org.apache.spark.serializer.SerializerManager
import org.apache.spark.storage.{BlockId, BlockInfoManager, SpillableLevel}

/** Keeps blocks in memory as Spark does, and tells a block's level when the block doesn't fit. */
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
    ) {

  private[storage] override def putIteratorAsValues[T](
      blockId: BlockId,
      values: Iterator[T],
      memoryMode: MemoryMode,
      classTag: ClassTag[T]
  ): Either[PartiallyUnrolledIterator[T], Long] =
    overflowing(blockId)(super.putIteratorAsValues(blockId, values, memoryMode, classTag))

  private[storage] override def putIteratorAsBytes[T](
      blockId: BlockId,
      values: Iterator[T],
      classTag: ClassTag[T],
      memoryMode: MemoryMode
  ): Either[PartiallySerializedBlock[T], Long] =
    overflowing(blockId)(super.putIteratorAsBytes(blockId, values, classTag, memoryMode))

  private def overflowing[A](blockId: BlockId)(put: Either[A, Long]): Either[A, Long] = {
    if (put.isLeft) {
      blockInfoManager.get(blockId).map(_.level).foreach {
        case level: SpillableLevel => level.overflow()
        case _ =>
      }
    }
    put
  }
}
