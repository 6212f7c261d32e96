package org.apache.spark.storage.hpc.patch

import java.util.concurrent.{CountDownLatch, Executors, TimeUnit}

import scala.reflect.ClassTag

import org.apache.spark.storage.{BlockInfo, BlockInfoManager, RDDBlockId, StorageLevel}
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

class RemovedBlocksSuite extends AnyFunSuite with Eventually {
  import RemovedBlocksSuite._

  private val id = RDDBlockId(1, 0)

  /** What a locker gets that found the block before it was removed, and its lock after. */
  private def lockDuringRemoval[A](lock: BlockInfoManager => A): A = {
    val manager = new BlockInfoManager
    val block = new SlowlyRemoved
    assert(manager.lockNewBlockForWriting(id, block))
    val remover = new Thread(() => {
      block.remover = Thread.currentThread
      manager.removeBlock(id)
    })
    val locking = Executors.newSingleThreadExecutor()
    try {
      remover.start()
      assert(block.isBeingRemoved.await(30, TimeUnit.SECONDS))
      @volatile var locker: Thread = null
      val locked = locking.submit { () =>
        locker = Thread.currentThread
        lock(manager)
      }
      eventually(timeout(Span(30, Seconds))) {
        assert(locker != null && locker.getState == Thread.State.WAITING)
      }
      block.mayGo.countDown()
      val got = locked.get(30, TimeUnit.SECONDS)
      // Whatever it holds, the next block of this name is another.
      assert(manager.lockNewBlockForWriting(id, newBlock()))
      manager.unlock(id)
      assert(manager.lockForWriting(id, blocking = false).nonEmpty)
      got
    } finally {
      block.mayGo.countDown()
      remover.join()
      locking.shutdown()
    }
  }

  for (blocking <- Seq(true, false)) {
    test(s"nobody gets a read lock of a block that was just removed, blocking=$blocking") {
      assert(lockDuringRemoval(_.lockForReading(id, blocking)).isEmpty)
    }

    test(s"nobody gets a write lock of a block that was just removed, blocking=$blocking") {
      assert(lockDuringRemoval(_.lockForWriting(id, blocking)).isEmpty)
    }
  }
}

object RemovedBlocksSuite {
  private def newBlock() =
    new BlockInfo(StorageLevel.MEMORY_ONLY, implicitly[ClassTag[Any]], tellMaster = false)

  /** A block whose removal stops in the middle, with the block's lock held. */
  private final class SlowlyRemoved
      extends BlockInfo(StorageLevel.MEMORY_ONLY, implicitly[ClassTag[Any]], tellMaster = false) {
    @volatile var remover: Thread = _
    val isBeingRemoved, mayGo = new CountDownLatch(1)

    override def writerTask: Long = {
      if (Thread.currentThread eq remover) {
        isBeingRemoved.countDown()
        mayGo.await()
      }
      super.writerTask
    }
  }
}
