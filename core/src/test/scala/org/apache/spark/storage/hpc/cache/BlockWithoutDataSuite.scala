package org.apache.spark.storage.hpc.cache

import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration._
import scala.reflect.ClassTag

import org.apache.spark.storage.{BlockInfo, RDDBlockId, ShortOfMemory, StorageLevel}
import org.apache.spark.storage.memory.hpc.SpillableLevel
import org.scalatest.funsuite.AnyFunSuite

/** An interrupted eviction leaves a block that is neither in memory nor on disk. */
class BlockWithoutDataSuite extends AnyFunSuite with ShortOfMemory {

  private def readers: Seq[(String, RDDBlockId => Option[Any])] = Seq(
    "a task" -> (manager.getLocalValues(_)),
    "another executor" -> (manager.getLocalBytes(_))
  )

  test("a reader doesn't find the block, removes it, and doesn't wait for a lock of its own") {
    withContext() { _ =>
      for (((who, read), part) <- readers.zipWithIndex) {
        val id = RDDBlockId(100, part)
        val level = new SpillableLevel(StorageLevel.MEMORY_ONLY, () => false, isAlways = false)
        val info = new BlockInfo(level, ClassTag.Byte, tellMaster = false)
        assert(manager.blockInfoManager.lockNewBlockForWriting(id, info))
        manager.blockInfoManager.unlock(id)
        assert(Await.result(Future(read(id)), 30.seconds).isEmpty, who)
        assert(manager.blockInfoManager.get(id).isEmpty, who)
      }
    }
  }
}
