package org.apache.spark.storage.hpc.cache

import org.apache.spark.rdd.RDD
import org.apache.spark.storage.{RDDBlockId, ShortOfMemory, StorageLevel}
import org.scalatest.funsuite.AnyFunSuite

/** A block that a task reads cannot be evicted, even if it has a copy on disk. */
class BlocksInUseSuite extends AnyFunSuite with ShortOfMemory {
  import ShortOfMemory._

  private def isInMemory(rdd: RDD[_]): Boolean = manager.memoryStore.contains(RDDBlockId(rdd.id, 0))

  test("a new block gets the room of blocks that nobody reads") {
    withContext() { sc =>
      val source = sc.parallelize(0 until 9, 1).map(_ => new Array[Byte](BlockBytes)).cache()
      source.count()
      val others = press(sc)
      assert(spilledFiles(source).nonEmpty && !isInMemory(source))
      others.unpersist(blocking = true)
      source.count()
      assert(isInMemory(source), "it was read back, and has a copy on disk")

      val idle =
        new Counted(sc, StorageLevel.MEMORY_ONLY, blocks = 9)(_ => new Array[Byte](BlockBytes)).rdd
      idle.count()
      assert(spilledFiles(idle).isEmpty)
      // Of the source, only the first element is read, so that the task keeps its lock.
      val next = source
        .mapPartitions(all =>
          Iterator.single(new Array[Byte](4 * BlockBytes + all.next().length % 2))
        )
        .cache()
      next.count()
      assert(isInMemory(next) && spilledFiles(next).isEmpty)
      assert(spilledFiles(idle).nonEmpty)
    }
  }
}
