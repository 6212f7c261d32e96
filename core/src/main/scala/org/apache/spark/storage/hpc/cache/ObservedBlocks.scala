package org.apache.spark.storage.hpc.cache

import scala.reflect.ClassTag

import org.apache.spark.storage.{BlockResult, RDDBlockId, StorageLevel}
import org.apache.spark.storage.memory.hpc.Computations

/** Tells the retention policy which RDD blocks tasks ask for, and how they are computed. */
private[spark] trait ObservedBlocks extends SpilledReads {

  private lazy val computations = new Computations(policy)

  override def getOrElseUpdateRDDBlock[T](
      taskId: Long,
      blockId: RDDBlockId,
      level: StorageLevel,
      classTag: ClassTag[T],
      makeIterator: () => Iterator[T]
  ): Either[BlockResult, Iterator[T]] = {
    def put(compute: () => Iterator[T]) =
      super.getOrElseUpdateRDDBlock(taskId, blockId, level, classTag, compute)

    if (policy.isObserver) computations.observe(taskId, blockId, makeIterator)(put)
    else put(makeIterator)
  }

  override def removeRdd(rddId: Int): Int = {
    val removed = super.removeRdd(rddId)
    policy.forgotten(rddId)
    removed
  }
}
