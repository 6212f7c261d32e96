package org.apache.spark.storage.hpc.cache

import java.io.RandomAccessFile
import java.nio.ByteBuffer
import java.nio.channels.{Channels, ClosedByInterruptException}
import java.nio.file.Files

import com.google.common.io.ByteStreams
import org.apache.spark.{SparkException, TaskContext}
import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.{BlockId, BroadcastBlockId, RDDBlockId, ShortOfMemory, StorageLevel}
import org.apache.spark.storage.ShortOfMemory.{BlockBytes, Blocks, Counted}
import org.apache.spark.storage.hpc.disk.IntactBlocks
import org.apache.spark.storage.memory.hpc.SpillableLevel
import org.apache.spark.util.io.ChunkedByteBuffer
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

class CacheSpillingSuite extends AnyFunSuite with Eventually with ShortOfMemory {
  import CacheSpillingSuite._

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(30, Seconds))

  private val levels = Seq(
    "MEMORY_ONLY" -> StorageLevel.MEMORY_ONLY,
    "MEMORY_ONLY_SER" -> StorageLevel.MEMORY_ONLY_SER
  )

  for ((name, level) <- levels) {
    test(s"evicted blocks of $name are read back from disk, not computed again") {
      withContext() { sc =>
        val cached = new Counted(sc, level)(bytes)
        cached.rdd.count()
        assert(cached.computed() == Seq.fill(Blocks)(1))
        press(sc)
        assert(spilledFiles(cached.rdd).nonEmpty)
        assert(cached.rdd.map(_(0).toInt).collect().toSeq == (0 until Blocks))
        assert(cached.computed().sum == 0)
      }
    }

    test(s"blocks of $name that don't fit when put are all kept, and read once") {
      withContext() { sc =>
        val large = new Counted(sc, level, Many)(bytes)
        assert(large.rdd.map(_(0).toInt).sum() == (0 until Many).sum)
        assert(large.rdd.map(_(0).toInt).sum() == (0 until Many).sum)
        assert(large.computed() == Seq.fill(Many)(1))
      }
    }
  }

  test("blocks in memory off the heap are spilled as well") {
    withContext("spark.memory.offHeap.enabled" -> "true", "spark.memory.offHeap.size" -> "1m") {
      sc =>
        val offHeap = StorageLevel(useDisk = false, useMemory = true, useOffHeap = true, false, 1)
        val large = new Counted(sc, offHeap, Many)(bytes)
        for (_ <- 1 to 2) assert(large.rdd.map(_(0).toInt).sum() == (0 until Many).sum)
        assert(large.computed() == Seq.fill(Many)(1))
        assert(spilledFiles(large.rdd).nonEmpty)
    }
  }

  test("encrypted scratch holds spilled blocks encrypted, and gives them back") {
    withContext("spark.io.encryption.enabled" -> "true") { sc =>
      val cached = new Counted(sc)(_ => Array.fill[Byte](BlockBytes)(65))
      cached.rdd.count()
      press(sc)
      val files = spilledFiles(cached.rdd)
      assert(files.nonEmpty)
      for (file <- files)
        assert(!new String(Files.readAllBytes(file.toPath), "ISO-8859-1").contains("AAAAA"))
      cached.computed()
      val right = Array.fill[Byte](BlockBytes)(65).toSeq
      assert(cached.rdd.filter(_.toSeq == right).count() == Blocks)
      assert(cached.computed().sum == 0)
    }
  }

  test("with never, blocks are dropped as in stock Spark") {
    withContext("spark.hpc.retention.spill" -> "never") { sc =>
      val cached = new Counted(sc)(bytes)
      cached.rdd.count()
      cached.computed()
      press(sc)
      assert(spilledFiles(cached.rdd).isEmpty)
      cached.rdd.count()
      assert(cached.computed().sum > 0)
    }
  }

  test("a job's local property decides for the RDDs that it puts into the cache") {
    withContext() { sc =>
      val key = "spark.hpc.retention.spill"
      val dropped = new Counted(sc)(bytes)
      sc.setLocalProperty(key, "never")
      dropped.rdd.count()
      sc.setLocalProperty(key, null)
      dropped.computed()
      press(sc)
      assert(spilledFiles(dropped.rdd).isEmpty)
      dropped.rdd.count()
      assert(dropped.computed().sum > 0)

      sc.setLocalProperty(key, "sometimes")
      val refused = intercept[SparkException](new Counted(sc)(bytes).rdd.count())
      assert(
        refused.getMessage.contains(s"$key should be one of auto, always, never, but was sometimes")
      )
    }
  }

  test("the user sees the level that was asked for, and true sizes") {
    withContext() { sc =>
      val cached = new Counted(sc)(bytes)
      cached.rdd.count()
      press(sc)
      assert(cached.rdd.getStorageLevel == StorageLevel.MEMORY_ONLY)
      // Blocks are still being copied.
      eventually {
        val info = sc.getRDDStorageInfo.find(_.id == cached.rdd.id).get
        assert(info.storageLevel == StorageLevel.MEMORY_ONLY)
        assert(info.numCachedPartitions == Blocks)
        val evicted = spilledFiles(cached.rdd).filterNot { file =>
          manager.memoryStore.contains(BlockId(file.getName))
        }
        assert(info.diskSize == evicted.map(_.length).sum)
      }
    }
  }

  test("unpersist deletes what was spilled, also twice") {
    withContext() { sc =>
      val cached = new Counted(sc)(bytes)
      for (_ <- 1 to 2) {
        cached.rdd.persist(StorageLevel.MEMORY_ONLY)
        cached.rdd.count()
        val other = press(sc)
        assert(spilledFiles(cached.rdd).nonEmpty)
        cached.rdd.unpersist(blocking = true)
        other.unpersist(blocking = true)
        assert(spilledFiles(cached.rdd).isEmpty)
      }
      assert(manager.blockInfoManager.entries.forall(!_._1.isRDD))
    }
  }

  for ((what, element) <- Seq("at eviction" -> Blocks, "when put" -> Many)) {
    test(s"elements that can't be serialized are dropped $what, and the job goes on") {
      withContext() { sc =>
        val cached = new Counted(sc, blocks = element)(new NotSerialized(_))
        for (_ <- 1 to 2) {
          assert(cached.rdd.map(_.index).sum() == (0 until element).sum)
          press(sc)
        }
        assert(spilledFiles(cached.rdd).isEmpty)
        assert(manager.cache.counts.failedByElements.getCount == 1)
      }
    }

    test(s"chains too deep to serialize are dropped $what, and the job goes on") {
      withContext() { sc =>
        val cached = new Counted(sc, blocks = element)(Link.chain(_, 3000))
        for (_ <- 1 to 2) {
          assert(cached.rdd.map(_.index).sum() == (0 until element).sum)
          press(sc)
        }
        assert(spilledFiles(cached.rdd).isEmpty)
        assert(cached.computed().sum > element)
      }
    }

    test(s"what can be written but not read $what is computed again") {
      withContext() { sc =>
        val cached = new Counted(sc, blocks = element)(new Unreadable(_))
        for (_ <- 1 to 2) {
          assert(cached.rdd.map(_.index).sum() == (0 until element).sum)
          press(sc)
        }
        assert(manager.cache.counts.unreadableBlocks.getCount >= 1)
      }
    }
  }

  test("state that serialization would lose comes back unchanged") {
    withContext() { sc =>
      val cached = new Counted(sc)(new WithTransient(_))
      for (_ <- 1 to 2) {
        assert(cached.rdd.map(_.cache).collect().toSeq == (0 until Blocks).map(i => s"state $i"))
        press(sc)
      }
      assert(spilledFiles(cached.rdd).isEmpty)
      assert(cached.computed().sum > Blocks)
    }
  }

  private val damages = Seq[(String, java.io.File => Unit)](
    "deleted" -> (_.delete()),
    "emptied" -> (file => new RandomAccessFile(file, "rw").setLength(0)),
    "cut short" -> (file => new RandomAccessFile(file, "rw").setLength(file.length - 1)),
    "with a flipped bit" -> { file =>
      val access = new RandomAccessFile(file, "rw")
      access.seek(file.length / 2)
      val byte = access.read()
      access.seek(file.length / 2)
      access.write(byte ^ 1)
    }
  )

  for ((how, damage) <- damages)
    test(s"a spilled block $how is computed again, alone") {
      withContext() { sc =>
        val cached = new Counted(sc)(bytes)
        cached.rdd.count()
        cached.computed()
        press(sc)
        val file = spilledFiles(cached.rdd).head
        val index = file.getName.split('_').last.toInt
        assert(!manager.memoryStore.contains(RDDBlockId(cached.rdd.id, index)))
        damage(file)
        assert(cached.rdd.map(_.toSeq).collect().toSeq == (0 until Blocks).map(bytes(_).toSeq))
        assert(cached.computed() == (0 until Blocks).map(i => if (i == index) 1 else 0))
        assert(manager.cache.counts.unreadableBlocks.getCount == 1)
      }
    }

  for (size <- Seq(1, 8 << 20, (8 << 20) + 1))
    test(s"a block of $size bytes on disk is read as it was verified") {
      withContext() { _ =>
        val blockId = RDDBlockId(1000000, 0)
        val content = Array.tabulate(size)(_.toByte)
        store.putBytes(blockId, new ChunkedByteBuffer(ByteBuffer.wrap(content)))
        val file = manager.diskBlockManager.getFile(blockId)
        val intact = store.intact(blockId)
        val small = size <= IntactBlocks.HeldBytes
        if (small) damages.last._2(file)
        val read = ByteStreams.toByteArray(intact.toInputStream())
        assert(java.util.Arrays.equals(read, content))
        if (!small) damages.last._2(file)
        intercept[java.io.IOException](store.intact(blockId))
      }
    }

  test("a damaged block isn't given to others") {
    withContext() { sc =>
      val cached = new Counted(sc)(bytes)
      cached.rdd.count()
      press(sc)
      val file = spilledFiles(cached.rdd).head
      val blockId = RDDBlockId(cached.rdd.id, file.getName.split('_').last.toInt)
      assert(manager.getLocalBytes(blockId).map(_.size).contains(file.length))
      manager.releaseLock(blockId)
      damages.last._2(file)
      assert(manager.getLocalBytes(blockId).isEmpty)
      assert(manager.blockInfoManager.get(blockId).isEmpty)
    }
  }

  test("a block that can't be serialized for others doesn't stay locked") {
    withContext() { sc =>
      val cached = new Counted(sc, blocks = 1)(new NotSerialized(_))
      cached.rdd.count()
      val blockId = RDDBlockId(cached.rdd.id, 0)
      intercept[java.io.NotSerializableException](manager.getLocalBytes(blockId))
      assert(manager.blockInfoManager.get(blockId).exists(_.readerCount == 0))
    }
  }

  test("what fails in the program's own code fails once, with its own exception") {
    withContext() { sc =>
      val key = Counted.next()
      val failing = sc
        .parallelize(0 until 1, 1)
        .mapPartitions { _ =>
          Counted.computed(key).incrementAndGet(0)
          Iterator.tabulate(60) { i =>
            if (i == 50) throw new IllegalStateException("the program's own") else bytes(i)
          }
        }
        .cache()
      val failure = intercept[SparkException](failing.count())
      assert(failure.getMessage.contains("the program's own"))
      assert(Counted.computed(key).get(0) == 1)
    }
  }

  test("an interrupted thread drops the blocks that it evicts, and nobody else fails by it") {
    withContext("spark.hpc.retention.copyAhead" -> "0") { sc =>
      val cached = new Counted(sc)(bytes)
      cached.rdd.count()
      val before = spilledFiles(cached.rdd)
      // Spark itself writes these, so it would fail.
      for ((id, _) <- manager.blockInfoManager.entries if id.isBroadcast) manager.removeBlock(id)
      Thread.currentThread().interrupt()
      val room = 10L * BlockBytes
      try
        manager.cache.room.withRoom[Unit](room, MemoryMode.ON_HEAP) {
          manager.memoryStore.evictBlocksToFreeSpace(None, room, MemoryMode.ON_HEAP): Unit
        }
      catch { case _: InterruptedException => () } // Spark's report to the driver, as in stock
      finally Thread.interrupted()
      assert(spilledFiles(cached.rdd) == before)
      assert(manager.cache.counts.failedByInterrupt.getCount > 0)
      // The block whose eviction ended there is neither in memory nor on disk.
      assert(cached.rdd.count() == Blocks)
      // Nothing was learned about the RDD.
      press(sc)
      assert(spilledFiles(cached.rdd).size > before.size)
    }
  }

  test("a block isn't taken for written when the write was interrupted at its very end") {
    // Kryo takes primitive arrays, and is silent when the end of a compressed block doesn't get through.
    withContext("spark.rdd.compress" -> "true") { _ =>
      for (blockId <- Seq(RDDBlockId(100, 0), BroadcastBlockId(100))) {
        Thread.currentThread().interrupt()
        try
          intercept[ClosedByInterruptException] {
            manager.diskStore.put(blockId) { channel =>
              val out = Channels.newOutputStream(channel)
              manager.serializerManager.dataSerializeStream(
                blockId,
                out,
                Iterator(bytes(1).take(9))
              )
            }
          }
        finally Thread.interrupted()
        assert(!manager.diskStore.contains(blockId))
      }
    }
  }

  test("unroll memory of a failed put is given back before the values are computed again") {
    withContext() { sc =>
      val unrolled = sc
        .parallelize(0 until 1, 1)
        .mapPartitions(_ => Iterator.tabulate(100)(i => new NotSerialized(i)))
        .cache()
        .mapPartitions { values =>
          val sum = values.map(_.index).sum
          assert(TaskContext.get() != null)
          Iterator((
            sum,
            org.apache.spark.SparkEnv.get.blockManager.memoryStore.currentUnrollMemoryForThisTask
          ))
        }
        .collect()
      assert(unrolled.toSeq == Seq((4950, 0L)))
    }
  }

  test("a block's level leaves the process as an ordinary one") {
    withContext() { sc =>
      val level = new SpillableLevel(StorageLevel.MEMORY_ONLY_2, () => true, isAlways = false)
      val serializer = sc.env.closureSerializer.newInstance()
      def sent: StorageLevel =
        serializer.deserialize[StorageLevel](serializer.serialize[StorageLevel](level))
      assert(sent == StorageLevel.MEMORY_ONLY_2 && sent.getClass == classOf[StorageLevel])
      level.overflow()
      assert(sent == StorageLevel.MEMORY_AND_DISK_2 && level.clone() == sent)
    }
  }
}

object CacheSpillingSuite {

  /** Twice as many blocks as there is memory for. */
  private val Many = 2 * Blocks

  private def bytes(index: Int): Array[Byte] = Array.fill(BlockBytes)(index.toByte)

  final class NotSerialized(val index: Int) {
    val ballast = new Array[Byte](BlockBytes)
  }

  final class WithTransient(val index: Int) extends Serializable {
    val ballast = new Array[Byte](BlockBytes)
    @transient val cache: String = s"state $index"
  }

  class Parent(index: Int) {
    require(index >= 0)
  }

  /** Java can't make one again: its superclass has no constructor without parameters. */
  final class Unreadable(val index: Int) extends Parent(index) with Serializable {
    val ballast = new Array[Byte](BlockBytes)
  }

  final class Link(val index: Int, val next: Link) extends Serializable {
    val ballast = new Array[Byte](BlockBytes / 3000)
  }

  object Link {
    def chain(index: Int, length: Int): Link =
      (1 to length).foldLeft(null: Link)((next, _) => new Link(index, next))
  }
}
