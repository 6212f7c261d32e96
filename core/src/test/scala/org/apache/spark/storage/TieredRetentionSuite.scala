package org.apache.spark.storage

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.apache.commons.io.FileUtils
import org.apache.spark.SparkContext
import org.apache.spark.storage.ShortOfMemory.{BlockBytes, Blocks, Counted}
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.apache.spark.util.collection.ExternalAppendOnlyMap
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.tier.Tier

/** Cached blocks that don't fit in memory, in scratch tiers. */
class TieredRetentionSuite extends AnyFunSuite with ShortOfMemory with SmallFileSystems {

  private def below[A](test: Path => A): A = {
    val folder = Files.createTempDirectory("retention")
    try test(folder)
    finally FileUtils.deleteDirectory(folder.toFile)
  }

  private def tiers: Seq[Tier] =
    manager.diskBlockManager.asInstanceOf[HpcDiskBlockManager].tiers.get.all

  private def blocksIn(folder: Path): Set[String] =
    FileUtils.listFiles(folder.toFile, null, true).asScala.map(_.getName)
      .filter(_.startsWith("rdd_")).toSet

  private def cachedAndEvicted(sc: SparkContext): Counted[Array[Byte]] = {
    val cached = new Counted(sc)(i => Array.fill(BlockBytes)(i.toByte))
    cached.rdd.count()
    press(sc)
    cached
  }

  private def assertRight(cached: Counted[Array[Byte]]): Unit =
    assert(cached.rdd.map(_(0).toInt).sum() == (0 until Blocks).sum)

  test("spilled blocks give room in the last tier before a task fails for want of it") {
    below { folder =>
      withContext(
        "spark.hpc.scratch.tiers" -> s"local:$folder?capacity=2500k",
        "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1500",
        "spark.shuffle.spill.compress" -> "false"
      ) { sc =>
        val cached = cachedAndEvicted(sc)
        val counts = manager.cache.counts
        assert(tiers.head.used > Blocks / 2 * BlockBytes)
        assert(counts.reclaimedBlocks.getCount == 0)
        // Without a shuffle, whose outputs are in the home, where they aren't the tier's.
        val spilled = sc.range(0, 20000, 1, 1).mapPartitions { all =>
          val map =
            new ExternalAppendOnlyMap[Long, String, String](x => x, (x, _) => x, (x, _) => x)
          map.insertAll(all.map(n => (n * 7919 % 20000, "x" * 100)))
          map.iterator.map(_._1)
        }
        assert(spilled.collect().toSeq.sorted == (0L until 20000L))
        assert(counts.reclaimedBlocks.getCount > 0)
        assertRight(cached)
      }
    }
  }

  /** A home with less than its reserve left, and a memory tier: blocks go to that one only. */
  private def besideFullHome(
      size: String,
      capacity: String
  )(check: Counted[Array[Byte]] => Unit): Unit =
    onSmallTmpfs("2m") { full =>
      Files.write(full.resolve("others"), new Array[Byte](1200 << 10))
      onSmallTmpfs(size) { memory =>
        withContext(
          "spark.hpc.scratch.tiers" -> s"memory:$memory?capacity=$capacity&reserve=0,local:$full",
          "spark.hpc.retention.reserve" -> "1m"
        ) { sc =>
          val cached = cachedAndEvicted(sc)
          assert(tiers.head.files > 0 && tiers.last.files == 0)
          assertRight(cached)
          check(cached)
        }
      }
    }

  test("a full home doesn't end spilling while another tier has room, and gets no more itself") {
    besideFullHome("100m", capacity = "90m") { _ =>
      assert(manager.cache.counts.failedByDisk.getCount == 0)
    }
  }

  test("when home and the other tier are full, blocks are dropped, and the home gets no more") {
    besideFullHome("10m", capacity = "200k") { cached =>
      assert(cached.computed().exists(_ > 1))
    }
  }

  test("what has no room in the node's own tier goes to one that others share, under no lock") {
    below { folder =>
      val tiers = s"local:$folder/a?capacity=200k,global:$folder/b"
      CountedCodec.underMonitor.set(0)
      withContext(CountedCodec.settings :+ "spark.hpc.scratch.tiers" -> tiers: _*) { sc =>
        val cached = cachedAndEvicted(sc)
        def its(folder: Path): Set[String] =
          blocksIn(folder).filter(_.startsWith(s"rdd_${cached.rdd.id}_"))
        assert(its(folder.resolve("a")).nonEmpty)
        assert(its(folder.resolve("b")).nonEmpty)
        assert(CountedCodec.underMonitor.get == 0)
        assert(manager.cache.counts.failedByDisk.getCount == 0)
        assertRight(cached)
      }
    }
  }
}
