package org.apache.spark.storage

import java.nio.ByteBuffer
import java.util.concurrent.{Callable, Executors, TimeUnit}

import scala.reflect.ClassTag

import org.apache.spark.SparkContext
import org.apache.spark.memory.{HpcMemoryManager, MemoryMode}
import org.apache.spark.network.buffer.NioManagedBuffer
import org.apache.spark.storage.ShortOfMemory.{BlockBytes, Blocks, Counted}
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.apache.spark.util.io.ChunkedByteBuffer
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

/** A node's own disk hangs while cached blocks are written to it. */
class HangingDiskSuite extends AnyFunSuite with ShortOfMemory with HangingFiles
    with AnotherManager {
  import HangingDiskSuite._

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(60, Seconds))

  private val others = Executors.newCachedThreadPool { (work: Runnable) =>
    val thread = new Thread(work)
    thread.setDaemon(true)
    thread
  }

  /** What must end although the disk hangs. */
  private def inTime[A](act: => A): A =
    others.submit((() => act): Callable[A]).get(60, TimeUnit.SECONDS)

  private def cached(sc: SparkContext, blocks: Int = Blocks): Counted[Array[Byte]] =
    new Counted(sc, blocks = blocks)(i => Array.fill(BlockBytes)(i.toByte))

  private def sum(cached: Counted[Array[Byte]]): Double = cached.rdd.map(_(0).toInt).sum()

  private val ofAll = (0 until Blocks).sum.toDouble

  for (cores <- Seq(1, 4))
    test(
      s"$cores tasks that need room go on without, and nothing more is written until it answers"
    ) {
      withContext("spark.master" -> s"local[$cores]") { sc =>
        LogLines.during { log =>
          val older = cached(sc)
          assert(sum(older) == ofAll)
          val before = spilledFiles(older.rdd).toSet
          val newer = cached(sc)
          val last = hanging(older.rdd, newer.rdd) {
            assert(inTime(sum(newer)) == ofAll)
            assert(store.isStalled)
            val last = cached(sc)
            assert(inTime(sum(last)) == ofAll)
            assert(spilledFiles(last.rdd).isEmpty)
            assert(inTime(sum(older)) == ofAll)
            assert(store.isStalled)
            assert((log.count(Warning), log.count(Answer)) == ((1, 0)))
            last
          }
          eventually(assert((log.count(Warning), log.count(Answer)) == ((1, 1))))
          eventually(assert(spilledFiles(older.rdd).toSet == before))
          eventually(assert(spilledFiles(newer.rdd).isEmpty))
          assert(sum(last) == ofAll)
          press(sc)
          assert(spilledFiles(last.rdd).nonEmpty)
          for (rdd <- Seq(older, newer, last)) assert(sum(rdd) == ofAll)
          assert(log.count("for 30 s") == 0)
        }
      }
    }

  test("a block that doesn't fit while it is put is computed again by its task") {
    withContext() { sc =>
      val large = cached(sc, 60)
      hanging(large.rdd) {
        assert(inTime(sum(large)) == (0 until 60).sum)
        assert(store.isStalled)
        // Once the disk is known to hang no block is written for others to be computed twice.
        assert(large.computed().sum < 60 + Blocks)
      }
      assert(sum(large) == (0 until 60).sum)
      eventually(assert(spilledFiles(large.rdd).nonEmpty))
    }
  }

  test("a block whose write hangs is unpersisted, and so are those that were written before") {
    withContext() { sc =>
      val older = cached(sc)
      assert(sum(older) == ofAll)
      val newer = cached(sc)
      assert(sum(newer) == ofAll)
      val before = spilledFiles(older.rdd)
      assert(before.nonEmpty)
      hanging(newer.rdd) {
        inTime(press(sc))
        assert(store.isStalled)
        for (rdd <- Seq(older.rdd, newer.rdd)) inTime(rdd.unpersist(blocking = true))
        assert(manager.blockInfoManager.entries.forall { case (id, _) =>
          id.asRDDId.forall(id => id.rddId != older.rdd.id && id.rddId != newer.rdd.id)
        })
        // They wait for the disk's answer, and keep nobody from using their names.
        older.rdd.persist()
        assert(inTime(sum(older)) == ofAll)
        assert(store.isStalled)
      }
      eventually(assert((before ++ spilledFiles(newer.rdd)).forall(!_.exists)))
      assert(sum(older) == ofAll)
    }
  }

  for (kind <- Seq("local", "shared")) test(
    s"the memory manager's monitor is free while a $kind disk hangs and only blocks are left that must be there"
  ) {
    withContext("spark.hpc.scratch.kind" -> kind) { sc =>
      val spillable = cached(sc, 1)
      spillable.rdd.count()
      spillable.rdd.unpersist(blocking = true)
      val wanted =
        new Counted(sc, StorageLevel.MEMORY_AND_DISK, 10)(_ => new Array[Byte](BlockBytes))
      val evicted = hanging(wanted.rdd) {
        wanted.rdd.count()
        val room = 5L * BlockBytes
        val evicting = others.submit { () =>
          manager.cache.room.withRoom(room, MemoryMode.ON_HEAP)(
            manager.memoryStore.evictBlocksToFreeSpace(None, room, MemoryMode.ON_HEAP)
          )
        }
        eventually(assert(store.isStalled))
        for (_ <- 1 to 20) {
          inTime(sc.env.memoryManager.synchronized(()))
          Thread.sleep(25)
        }
        assert(!evicting.isDone) // it waits, for what its user wants on disk
        evicting
      }
      evicted.get(60, TimeUnit.SECONDS)
      assert(wanted.rdd.count() == 10)
      assert(wanted.computed() == Seq.fill(10)(1))
    }
  }

  test("an executor drops what would have to be written of broadcasts: the driver has it") {
    withContext() { sc =>
      val memory = new HpcMemoryManager(sc.conf, 20L * BlockBytes, 10L * BlockBytes, 1)
      withAnother(sc.env, memory) { executor =>
        memory.setMemoryStore(executor.memoryStore)
        executor.initialize("another")
        def put(id: BlockId, level: StorageLevel): Unit = {
          val bytes = new ChunkedByteBuffer(ByteBuffer.allocate(BlockBytes))
          assert(executor.putBytes(id, bytes, level, tellMaster = false)(implicitly[ClassTag[Any]]))
        }
        def evict(blocks: Int): Long = memory.synchronized {
          val room = blocks.toLong * BlockBytes
          executor.memoryStore.evictBlocksToFreeSpace(None, room, MemoryMode.ON_HEAP)
        }
        val rdd = RDDBlockId(1000, 0)
        val sent = new NioManagedBuffer(ByteBuffer.allocate(BlockBytes))
        executor.putBlockData(rdd, sent, StorageLevel.MEMORY_ONLY_SER, implicitly[ClassTag[Any]])
        executor.removeBlock(rdd, tellMaster = false)
        val parts = (0 until 10).map(i => BroadcastBlockId(1000, s"piece$i"))
        parts.foreach(put(_, StorageLevel.MEMORY_AND_DISK_SER))
        def there: Seq[BlockId] = parts.filter(executor.blockInfoManager.get(_).nonEmpty)

        val hung = TestBlockId("hung")
        hangingIn(executor, hung +: parts) {
          others.submit((() => put(hung, StorageLevel.DISK_ONLY)): Runnable)
          eventually(assert(executor.diskStore.asInstanceOf[HpcDiskStore].isStalled))
          assert(inTime(evict(4)) == 4L * BlockBytes)
          assert(there.size == 6 && there.forall(executor.memoryStore.contains))
        }
        eventually(assert(!executor.diskStore.asInstanceOf[HpcDiskStore].isStalled))
        assert(evict(4) == 4L * BlockBytes)
        assert(there.size == 6 && there.count(executor.diskStore.contains) == 4)
      }
    }
  }
}

object HangingDiskSuite {
  private val Warning = "are dropped from memory, not spilled, since"
  private val Answer = "answers again: cached blocks are spilled"
}
