package org.apache.spark.storage.hpc.cache

import java.util.concurrent.{Executors, TimeUnit}

import org.apache.spark.SparkContext
import org.apache.spark.storage.{
  BroadcastBlockId,
  CountedCodec,
  HangingFiles,
  RDDBlockId,
  ShortOfMemory,
  StorageLevel
}
import org.apache.spark.storage.CountedCodec.Element
import org.apache.spark.storage.ShortOfMemory.{BlockBytes, Blocks, Counted}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

/** With scratch that may be slow; here it is as fast as ever, but a write can hang. */
class CopyAheadSuite extends AnyFunSuite with ShortOfMemory with HangingFiles {
  import CopyAheadSuite._

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(60, Seconds))

  private def withSlowScratch[A](settings: (String, String)*)(test: SparkContext => A): A =
    withContext(
      Seq("spark.hpc.scratch.kind" -> "shared", "spark.hpc.retention.copyAhead" -> "0.2") ++
        CountedCodec.settings ++ settings: _*
    )(test)

  private def inMemory(counted: Counted[_]): Int =
    (0 until counted.rdd.getNumPartitions)
      .count(index => manager.memoryStore.contains(RDDBlockId(counted.rdd.id, index)))

  private def sums(counted: Counted[Element]): Double = counted.rdd.map(_.index).sum()

  test("blocks are written before they have to go, and never under the monitor") {
    withSlowScratch() { sc =>
      CountedCodec.underMonitor.set(0)
      CountedCodec.written.set(0)
      val cached = new Counted(sc, blocks = 60)(Element(_))
      for (_ <- 1 to 3) assert(sums(cached) == (0 until 60).sum)
      assert(cached.computed() == Seq.fill(60)(1))
      assert(CountedCodec.written.get > 40)
      assert(CountedCodec.underMonitor.get == 0)
      eventually(assert(manager.cache.counts.copiedAheadBlocks.getCount > 0))
    }
  }

  test("blocks that their user wants on disk are written before they have to go, too") {
    withSlowScratch() { sc =>
      new Counted(sc, blocks = 2)(Element(_)).rdd.count()
      CountedCodec.underMonitor.set(0)
      val cached = new Counted(sc, StorageLevel.MEMORY_AND_DISK, 60)(Element(_))
      for (_ <- 1 to 3) assert(sums(cached) == (0 until 60).sum)
      assert(cached.computed() == Seq.fill(60)(1))
      assert(CountedCodec.underMonitor.get == 0)
    }
  }

  test("a broadcast doesn't wait for slow scratch: it takes the place of a block, unwritten") {
    withSlowScratch() { sc =>
      val cached = new Counted(sc, blocks = Fitting)(Element(_))
      hanging(cached.rdd) {
        sums(cached)
        val before = inMemory(cached)
        val large = sc.broadcast(new Array[Byte](4 * BlockBytes))
        assert(sc.range(0, 1, 1, 1).map(_ => large.value.length).first() == 4 * BlockBytes)
        assert(inMemory(cached) < before)
        assert(!manager.diskStore.contains(BroadcastBlockId(large.id)))
      }
      assert(sums(cached) == (0 until Fitting).sum)
    }
  }

  test("while all fits, nothing is written") {
    withSlowScratch() { sc =>
      val cached = new Counted(sc, blocks = 10)(Element(_))
      assert(sums(cached) == (0 until 10).sum)
      assert(sums(cached) == (0 until 10).sum)
      assert(manager.cache.counts.spilledBlocks.getCount == 0)
    }
  }

  test("a newcomer gets the memory of older blocks, which its task writes if nobody did before") {
    withSlowScratch("spark.hpc.retention.copyAhead" -> "0.0001") { sc =>
      val cached = new Counted(sc, blocks = Fitting)(Element(_))
      sums(cached)
      val before = inMemory(cached)
      press(sc)
      assert(inMemory(cached) < before)
      assert(spilledFiles(cached.rdd).nonEmpty)
      assert(sums(cached) == (0 until Fitting).sum)
      assert(cached.computed() == Seq.fill(Fitting)(1))
    }
  }

  test("a write that is held up stops neither the jobs beside it nor their caching") {
    withSlowScratch() { sc =>
      val cached = new Counted(sc, blocks = Fitting)(Element(_))
      hanging(cached.rdd) {
        sums(cached)
        eventually(assert(store.requestsUnderWay > 0))
        // The block whose copy is being written can be read.
        assert(sums(cached) == (0 until Fitting).sum)
        for (_ <- 1 to 6) {
          press(sc).unpersist(blocking = true)
          Thread.sleep(1000)
        }
        eventually(assert(store.isStalled))
        // By now nothing is written any more, as nothing was in stock Spark.
        val newcomers = press(sc)
        assert(newcomers.count() == Blocks)
        assert(spilledFiles(newcomers).isEmpty)
        assert(sums(cached) == (0 until Fitting).sum)
      }
      assert(sums(cached) == (0 until Fitting).sum)
    }
  }

  test("tasks get memory though nothing could be written") {
    withSlowScratch() { sc =>
      val cached = new Counted(sc, blocks = Fitting)(Element(_))
      hanging(cached.rdd) {
        sums(cached)
        val pairs = sc.parallelize(0 until 20000, 1).map(i => (i, new Array[Byte](20)))
        assert(pairs.groupByKey(1).count() == 20000)
      }
      assert(sums(cached) == (0 until Fitting).sum)
    }
  }

  test("what is unpersisted while it is being copied leaves no file") {
    withSlowScratch() { sc =>
      val cached = new Counted(sc, blocks = Fitting)(Element(_))
      val unpersisting = Executors.newSingleThreadExecutor()
      val done = hanging(cached.rdd) {
        sums(cached)
        eventually(assert(store.requestsUnderWay > 0))
        unpersisting.submit { () =>
          cached.rdd.unpersist(blocking = true)
          true
        }
      }
      assert(done.get(60, TimeUnit.SECONDS))
      unpersisting.shutdown()
      assert(spilledFiles(cached.rdd).isEmpty)
      assert(manager.blockInfoManager.entries.forall(!_._1.isRDD))
    }
  }

  test("without copies nothing is written to slow scratch") {
    withSlowScratch("spark.hpc.retention.copyAhead" -> "0") { sc =>
      val cached = new Counted(sc)(Element(_))
      sums(cached)
      press(sc)
      assert(sums(cached) == (0 until Blocks).sum)
      assert(manager.cache.counts.spilledBlocks.getCount == 0)
    }
  }
}

object CopyAheadSuite {

  // Few enough to need no disk, and so many that copies are made.
  private val Fitting = 17
}
