package org.apache.spark.storage

import java.nio.file.{Files, Path}

import scala.sys.process._

import org.apache.spark.SparkContext
import org.apache.spark.storage.ShortOfMemory.{BlockBytes, Blocks, Counted}
import org.scalatest.funsuite.AnyFunSuite

/** Spilled blocks on a file system that is too small: a real one, so it takes root to mount it. */
class CrowdedDiskSuite extends AnyFunSuite with ShortOfMemory {

  private def onDisk[A](size: String, settings: (String, String)*)(
      test: (SparkContext, Path) => A
  ): A = {
    assume("id -u".!!.trim == "0", "root is needed to mount a small tmpfs")
    val folder = Files.createTempDirectory("crowded")
    assert(Seq("mount", "-t", "tmpfs", "-o", s"size=$size", "tmpfs", folder.toString).! == 0)
    try
      withContext(settings :+ ("spark.local.dir" -> folder.toString): _*)(test(_, folder))
    finally {
      assert(Seq("umount", "-l", folder.toString).! == 0)
      Files.delete(folder)
    }
  }

  test("a full disk means dropped blocks and right results, not failed tasks") {
    onDisk("300k", "spark.hpc.retention.reserve" -> "0") { (sc, _) =>
      val cached = new Counted(sc)(i => Array.fill(BlockBytes)(i.toByte))
      for (_ <- 1 to 3) {
        assert(cached.rdd.map(_(0).toInt).sum() == (0 until Blocks).sum)
        press(sc)
      }
      assert(spilledFiles(cached.rdd).nonEmpty)
      assert(cached.computed().sum > Blocks)
      assert(manager.cache.counts.failedByDisk.getCount > 0)
      // A block that didn't fit leaves nothing behind.
      assert(spilledFiles(cached.rdd).forall(_.length >= BlockBytes))
    }
  }

  test("the reserve is left free, but for the block that touched it") {
    onDisk("2m", "spark.hpc.retention.reserve" -> "1m") { (sc, folder) =>
      val large = new Counted(sc, blocks = 100)(i => Array.fill(BlockBytes)(i.toByte))
      for (_ <- 1 to 2) {
        assert(large.rdd.map(_(0).toInt).sum() == (0 until 100).sum)
        val free = folder.toFile.getUsableSpace
        assert(free < (1 << 20) && free > (1 << 20) - 2 * BlockBytes)
      }
    }
  }

  test("spilled blocks give room when a shuffle writes, and are computed again") {
    onDisk("4m", "spark.hpc.retention.reserve" -> "2m") { (sc, folder) =>
      val cached = new Counted(sc)(i => Array.fill(BlockBytes)(i.toByte))
      cached.rdd.count()
      press(sc)
      cached.computed()
      val before = spilledFiles(cached.rdd)
      assert(before.nonEmpty)
      val others = Files.write(folder.resolve("others"), new Array[Byte](2 << 20))
      Thread.sleep(1100) // free space is asked for once a second
      sc.parallelize(1 to 100, 2).groupBy(_ % 7).count()
      val left = spilledFiles(cached.rdd)
      assert(left.size < before.size)
      assert(manager.cache.counts.reclaimedBlocks.getCount > 0)
      val known = sc.getRDDStorageInfo.find(_.id == cached.rdd.id)
      assert(known.map(_.diskSize).getOrElse(0L) == left.map(_.length).sum)
      assert(cached.rdd.map(_(0).toInt).sum() == (0 until Blocks).sum)
      assert(cached.computed().sum > 0)
      Files.delete(others)
    }
  }

  test("a block whose file can't be made is dropped, and its task goes on") {
    withContext() { sc =>
      val cached = new Counted(sc)(i => Array.fill(BlockBytes)(i.toByte))
      for (index <- 0 until Blocks) {
        val file = manager.diskBlockManager.getFile(RDDBlockId(cached.rdd.id, index))
        Files.createDirectories(file.toPath.resolve("in the way"))
      }
      cached.rdd.count()
      press(sc)
      assert(cached.rdd.map(_(0).toInt).sum() == (0 until Blocks).sum)
      assert(manager.cache.counts.failedByDisk.getCount == 1)
      assert(manager.cache.counts.failedByElements.getCount == 0)
    }
  }
}
