package org.apache.spark.storage

import java.io.{Externalizable, File, NotSerializableException, ObjectInput, ObjectOutput}
import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._
import scala.sys.process._

import org.apache.commons.io.FileUtils
import org.apache.spark.{HashPartitioner, SparkContext, SparkException}
import org.apache.spark.hpc.tier.{Tier, Tiers}
import org.apache.spark.util.collection.ExternalAppendOnlyMap
import org.scalatest.funsuite.AnyFunSuite

/** Spark's own jobs, with their scratch files in tiers. */
class ScratchTiersSuite extends AnyFunSuite with LocalSpark {
  import ScratchTiersSuite._

  private def withContext[A](scratch: String, settings: (String, String)*)(
      test: SparkContext => A
  ): A = {
    val spilling = Seq(
      "spark.hpc.scratch" -> scratch,
      // Each sort and each aggregation spills several times.
      "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1500",
      "spark.shuffle.spill.compress" -> "false",
      "spark.shuffle.compress" -> "false",
      "spark.cleaner.referenceTracking" -> "false"
    )
    withSpark(1, spilling ++ settings: _*)(test)
  }

  private def below[A](test: Path => A): A = {
    val folder = Files.createTempDirectory("scratch")
    try test(folder)
    finally FileUtils.deleteDirectory(folder.toFile)
  }

  private def blocks(sc: SparkContext): HpcDiskBlockManager =
    sc.env.blockManager.diskBlockManager.asInstanceOf[HpcDiskBlockManager]

  private def tiers(sc: SparkContext): Tiers = blocks(sc).tiers.get

  private def filesIn(folder: Path): Seq[File] =
    FileUtils.listFiles(folder.toFile, null, true).asScala.toSeq

  /** Every kind of scratch file: spills of sorts and of aggregations, and shuffle outputs. */
  private def sortAndGroup(sc: SparkContext): Unit = {
    val pairs = sc.range(0, Records.toLong, 1, 4).map(n => (n * 7919 % Records, n.toString * 20))
    val sorted = pairs.sortByKey(numPartitions = 3)
    assert(sorted.map(_._1).collect().toSeq == (0L until Records))
    val grouped = pairs.groupByKey(new HashPartitioner(3))
    assert(grouped.map(_._2.map(_.length.toLong).sum).sum() == pairs.map(_._2.length).sum())
    assert(grouped.count() == Records)
  }

  private def assertEmpty(tiers: Seq[Tier]): Unit =
    for (tier <- tiers) assert((tier.used, tier.files) == ((0L, 0L)), tier)

  test("spills fill the first tier, go on in the next, and give all of it back") {
    below { folder =>
      val two = "spark.master" -> "local[2]"
      withContext(s"local:$folder/a?capacity=100k,local:$folder/b", two) { sc =>
        val Seq(small, large) = tiers(sc).all
        assert(small.capacity == 100 * 1024)
        sortAndGroup(sc)
        assert(small.overflows > 0)
        assertEmpty(Seq(small, large))
        assert(small.directory.listFiles.map(_.getName).toSeq == Seq("owner"))
      }
      assert(filesIn(folder).isEmpty)
    }
  }

  test("what fits the first tier never reaches the next, but for shuffle outputs") {
    below { folder =>
      withContext(s"local:$folder/a,local:$folder/b") { sc =>
        sortAndGroup(sc)
        assert(tiers(sc).all.head.overflows == 0)
        val outputs = filesIn(folder.resolve("b")).map(_.getName).filter(_ != "owner")
        assert(outputs.nonEmpty && outputs.forall(_.startsWith("shuffle_")))
        // All that Python and other executors are told of.
        assert(blocks(sc).localDirs.forall(_.getPath.startsWith(s"$folder/b/")))
        assert(blocks(sc).getAllBlocks().map(_.name).toSet.subsetOf(outputs.toSet))
      }
    }
  }

  test("a sorted shuffle of serialized records is renamed, not copied") {
    below { folder =>
      val kryo = "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer"
      // More partitions than the bypassing writer takes.
      val serialized = "spark.shuffle.sort.bypassMergeThreshold" -> "1"
      // Whatever asked the first tier would overflow.
      withContext(s"local:$folder/a?capacity=1,local:$folder/b", kryo, serialized) { sc =>
        val counts = sc.range(0, 1000, 1, 2).map(n => (n, n)).partitionBy(new HashPartitioner(7))
        assert(counts.count() == 1000)
        assert(tiers(sc).all.map(_.overflows) == Seq(0L, 0L))
      }
    }
  }

  for (encrypted <- Seq(false, true))
    test(
      s"cached blocks are found in whichever tier they are, and unpersist frees it ($encrypted)"
    ) {
      below { folder =>
        val setting = "spark.io.encryption.enabled" -> encrypted.toString
        withContext(s"local:$folder/a?capacity=50k,local:$folder/b", setting) { sc =>
          val Seq(small, large) = tiers(sc).all
          val cached = sc.parallelize(0 until 8, 8).map(i => Array.fill(20000)(i.toByte))
            .persist(StorageLevel.DISK_ONLY)
          for (_ <- 1 to 2) assert(cached.map(_(7).toInt).sum() == 28)
          assert(Seq(small.files, large.files) == Seq(2L, 6L))
          for (tier <- Seq(small, large)) {
            val there = filesIn(tier.directory.toPath).filter(_.getName.startsWith("rdd_"))
            assert(there.size == tier.files && there.map(_.length).sum == tier.used)
          }
          val known = sc.getRDDStorageInfo.find(_.id == cached.id).get
          assert(known.diskSize == 8 * manager(sc).diskStore.getSize(RDDBlockId(cached.id, 0)))
          assert(blocks(sc).getAllBlocks().count(_.isRDD) == 8)
          cached.unpersist(blocking = true)
          assertEmpty(Seq(small, large))
        }
      }
    }

  private def manager(sc: SparkContext): BlockManager = sc.env.blockManager

  test("what fits the first tier asks nothing of the home") {
    below { folder =>
      withContext(s"local:$folder/a,local:$folder/b") { sc =>
        val numbers = sc.range(0, Records.toLong, 1, 1).persist(StorageLevel.DISK_ONLY)
        val spilled = numbers.mapPartitions { all =>
          val map = new ExternalAppendOnlyMap[Long, Long, Long](n => n, _ + _, _ + _)
          map.insertAll(all.map(n => (n, n)))
          map.iterator.map(_._2)
        }
        for (_ <- 1 to 2) assert(spilled.sum() == Records.toLong * (Records - 1) / 2)
        assert(numbers.count() == Records)
        numbers.unpersist(blocking = true)
        assert(blocks(sc).localDirs.flatMap(_.listFiles).isEmpty)
      }
    }
  }

  test("empty blocks are blocks, too") {
    below { folder =>
      val kryo = "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer"
      withContext(s"local:$folder/a,local:$folder/b", kryo) { sc =>
        val empty = sc.parallelize(Seq.empty[Int], 2).persist(StorageLevel.DISK_ONLY)
        for (_ <- 1 to 2) assert(empty.count() == 0)
        assert(blocks(sc).getAllBlocks().count(_.isRDD) == 2)
      }
    }
  }

  test("a task that fails between spills or amid one gives everything back") {
    below { folder =>
      withContext(s"local:$folder/a?capacity=100k,local:$folder/b") { sc =>
        val numbers = sc.range(0, Records.toLong, 1, 2)
        val broken = numbers.map { n =>
          if (n == Records - 1) throw new IllegalStateException("as told") else (n, n)
        }
        intercept[SparkException](broken.reduceByKey(_ + _).count())
        val unwritable = numbers.map[(Long, AnyRef)] { n =>
          (n, if (n % 1000 == 999) new Unwritable else new Array[Byte](200))
        }
        intercept[SparkException](unwritable.reduceByKey((first, _) => first).count())
        assertEmpty(tiers(sc).all)
      }
    }
  }

  test("when the last tier is full as well, the task's failure names both and why") {
    below { folder =>
      withContext(s"local:$folder/a?capacity=10k,local:$folder/b?capacity=20k") { sc =>
        val failure = intercept[SparkException](sortAndGroup(sc)).getMessage
        val line = failure.linesIterator.find(_.contains("No scratch tier takes")).get
        assert(line.contains(s"$folder/a") && line.contains("of 10240 bytes used"))
        assert(line.contains(s"$folder/b") && line.contains("of 20480 bytes used"))
        assertEmpty(tiers(sc).all)
      }
    }
  }

  test("tiers are metrics") {
    below { folder =>
      withContext(s"local:$folder/a?capacity=1m,local:$folder/b") { sc =>
        val gauges = sc.env.metricsSystem.getSourcesByName("hpc").head.metricRegistry.getGauges
        sc.parallelize(Seq(new Array[Byte](5000)), 1).persist(StorageLevel.DISK_ONLY).count()
        def value(name: String): Any = gauges.get(s"scratch.$name").getValue
        assert(value("1.local.capacity") == 1048576L && value("1.local.files") == 1L)
        assert(value("1.local.used").asInstanceOf[Long] > 5000)
        assert(value("1.local.overflows") == 0L && value("2.local.failures") == 0L)
      }
    }
  }

  private def refusal(scratch: String): String =
    intercept[IllegalArgumentException](withContext(scratch)(_ => ())).getMessage

  test("nonsense ends the application before it begins, in one line") {
    below { folder =>
      assert(
        refusal("local:relative") ==
          "spark.hpc.scratch is 'local:relative': 'relative' in 'local:relative' is no absolute " +
          "path; write one such as /local/scratch"
      )
      assert(refusal("local:$NO_SUCH_VARIABLE/a").contains("$NO_SUCH_VARIABLE isn't set"))
      assert(refusal(s"local:$folder,local:$folder/").contains(s"$folder stands there twice"))
      val file = Files.createFile(folder.resolve("file"))
      assert(refusal(s"local:$file/a").contains("where no directory can be made on"))
    }
  }

  test("auto takes what this node has, and everything goes there") {
    withContext("auto") { sc =>
      sortAndGroup(sc)
      assertEmpty(tiers(sc).all)
      assert(blocks(sc).localDirs.nonEmpty)
    }
  }

  private def onSmallTmpfs[A](size: String)(test: Path => A): A = {
    assume("id -u".!!.trim == "0", "root is needed to mount a small tmpfs")
    below { folder =>
      assert(Seq("mount", "-t", "tmpfs", "-o", s"size=$size", "tmpfs", folder.toString).! == 0)
      try test(folder)
      finally assert(Seq("umount", "-l", folder.toString).! == 0)
    }
  }

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
          assert(Seq("mount", "--bind", here, here).! == 0)
          try {
            assert(Seq("mount", "-o", "remount,bind,ro", here).! == 0)
            sortAndGroup(sc)
          } finally assert(Seq("umount", here).! == 0)
          assert(tiers(sc).all.head.failures > 0)
          assertEmpty(tiers(sc).all)
        }
      }
    }
  }
}

private object ScratchTiersSuite {
  val Records = 20000
}

/** Fails while it is written. */
private class Unwritable extends Externalizable {
  override def writeExternal(out: ObjectOutput): Unit =
    throw new NotSerializableException("as told")
  override def readExternal(in: ObjectInput): Unit = ()
}
