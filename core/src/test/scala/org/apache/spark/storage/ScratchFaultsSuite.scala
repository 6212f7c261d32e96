package org.apache.spark.storage

import org.apache.commons.io.FileUtils
import org.apache.spark.SparkException
import org.scalatest.funsuite.AnyFunSuite

/** Spark's own jobs on scratch tiers that fail: the right result, or one clear error. */
class ScratchFaultsSuite extends AnyFunSuite with Scratchful with SmallFileSystems {

  test("a file system that is full before anybody expected is left for the next tier") {
    onSmallTmpfs("200k") { full =>
      below { folder =>
        withContext(s"memory:$full?capacity=1g&reserve=0,local:$folder/b") { sc =>
          sortAndGroup(sc)
          val tmpfs = tiers(sc).all.head
          assert(tmpfs.failures + tmpfs.overflows > 0)
          assertEmpty(tiers(sc).all)
        }
      }
    }
  }

  test("a file system that becomes read-only is left for the next tier") {
    onSmallTmpfs("10m") { tmpfs =>
      below { folder =>
        withContext(s"memory:$tmpfs?capacity=9m&reserve=0,local:$folder/b") { sc =>
          val here = tmpfs.toString
          run("mount", "--bind", here, here)
          try {
            run("mount", "-o", "remount,bind,ro", here)
            sortAndGroup(sc)
          } finally run("umount", here)
          assert(tiers(sc).all.head.failures > 0)
          assertEmpty(tiers(sc).all)
        }
      }
    }
  }

  test("a quota that the file system doesn't tell is left for the next tier") {
    onQuota("1M") { limited =>
      below { folder =>
        withContext(s"local:$limited?reserve=0,local:$folder/b") { sc =>
          val first = tiers(sc).all.head
          assert(first.hasRoom && limited.toFile.getUsableSpace > (100 << 20))
          val large =
            sc.parallelize(0 until 8, 8).map(i => Array.tabulate(400000)(n => (n * i).toByte))
              .persist(StorageLevel.DISK_ONLY)
          for (_ <- 1 to 2) assert(large.map(_(5).toInt).collect().toSeq == (0 until 8).map(_ * 5))
          assert(first.failures > 0 && first.files > 0 && first.files < 8)
          sortAndGroup(sc)
        }
      }
    }
  }

  test("when the quota is the last tier's, the task's failure names it and how to see it") {
    onQuota("1M") { limited =>
      withContext(s"local:$limited") { sc =>
        val large = sc.parallelize(0 until 8, 8).map(_ => new Array[Byte](400000))
          .persist(StorageLevel.DISK_ONLY)
        val failure = intercept[SparkException](large.count()).getMessage
        val line = failure.linesIterator.find(_.contains("No scratch tier takes")).get
        assert(line.contains(s"local $limited/spark-hpc-") && line.contains("(btrfs)"))
        assert(line.contains("Disk quota exceeded"))
        assert(line.contains("'btrfs qgroup show -r'"))
      }
    }
  }

  test("a tier that is removed in the middle is left for the next") {
    inMemoryAndBelow { (memory, folder) =>
      withContext(s"memory:$memory/a,local:$folder/b") { sc =>
        sortAndGroup(sc)
        FileUtils.deleteDirectory(memory.resolve("a").toFile)
        sortAndGroup(sc)
        // A write is refused there, or the file system was asked for its room before the first.
        val removed = tiers(sc).all.head
        assert(removed.failures + removed.overflows > 0)
        assertEmpty(tiers(sc).all)
      }
    }
  }

  test("a block that a removed tier held costs a task its attempt, and is computed again") {
    below { folder =>
      val twice = "spark.master" -> "local[1, 2]"
      withContext(s"local:$folder/a,local:$folder/b", twice) { sc =>
        val onDisk = sc.range(0, 1000, 1, 2).persist(StorageLevel.DISK_ONLY)
        assert(onDisk.sum() == 499500)
        assert(tiers(sc).all.map(_.files) == Seq(2, 0))
        FileUtils.deleteDirectory(folder.resolve("a").toFile)
        for (_ <- 1 to 2) assert(onDisk.sum() == 499500)
        assert(tiers(sc).all.map(_.files) == Seq(0, 2))
      }
    }
  }
}
