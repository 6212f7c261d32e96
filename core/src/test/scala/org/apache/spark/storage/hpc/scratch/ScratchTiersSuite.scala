package org.apache.spark.storage.hpc.scratch

import java.io.{Externalizable, NotSerializableException, ObjectInput, ObjectOutput}
import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions

import scala.io.Source

import org.apache.spark.{HashPartitioner, SparkContext, SparkException}
import org.apache.spark.storage.{
  BlockManager,
  RDDBlockId,
  Scratchful,
  SmallFileSystems,
  StorageLevel
}
import org.apache.spark.util.collection.ExternalAppendOnlyMap
import org.scalatest.concurrent.Eventually.eventually
import org.scalatest.concurrent.PatienceConfiguration.Timeout
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

/** Spark's own jobs, with their scratch files in tiers. */
class ScratchTiersSuite extends AnyFunSuite with Scratchful with SmallFileSystems {
  import Scratchful._

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
        val Array(home) = blocks(sc).localDirs
        assert(home.getPath.startsWith(s"$folder/b/"))
        val there = blocks(sc).getAllBlocks().map(_.name).toSet
        assert(there.nonEmpty && there.subsetOf(outputs.toSet))
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
          sc.listenerBus.waitUntilEmpty() // which tells the next line what is known
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
    inMemoryAndBelow { (memory, folder) =>
      // A spill has 1,501 records. When the last batch is full, Spark looks for it after its deletion.
      val batches = "spark.shuffle.spill.batchSize" -> "79"
      withContext(s"memory:$memory/a,local:$folder/b", batches) { sc =>
        val numbers = sc.range(0, Records.toLong, 1, 1).persist(StorageLevel.DISK_ONLY)
        val spilled = numbers.mapPartitions { all =>
          val map = new ExternalAppendOnlyMap[Long, Long, Long](n => n, _ + _, _ + _)
          map.insertAll(all.map(n => (n, n)))
          map.iterator.map(_._2)
        }
        for (_ <- 1 to 2) assert(spilled.sum() == Records.toLong * (Records - 1) / 2)
        assert(numbers.count() == Records)
        numbers.unpersist(blocking = true)
        val Array(home) = blocks(sc).localDirs
        assert(home.listFiles.isEmpty)
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
        // The job fails by its first task; the second may be amid a spill.
        eventually(Timeout(Span(60, Seconds)))(assertEmpty(tiers(sc).all))
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
        eventually(Timeout(Span(60, Seconds)))(assertEmpty(tiers(sc).all))
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
        for (name <- Seq("usedByOthers", "slow")) assert(value(s"1.local.$name") == 0L)
        assert(value("1.local.proven") == 0)
      }
    }
  }

  test("operations and their times are metrics of each tier") {
    below { folder =>
      withContext(s"local:$folder/a?capacity=1m,local:$folder/b") { sc =>
        val timers = sc.env.metricsSystem.getSourcesByName("hpc").head.metricRegistry.getTimers
        def count(name: String): Long = timers.get(s"scratch.$name").getCount
        val cached = sc.parallelize(Seq(new Array[Byte](5000)), 1).persist(StorageLevel.DISK_ONLY)
        for (_ <- 1 to 2) cached.count()
        cached.unpersist(blocking = true)
        assert(Seq("create", "open", "delete").map(kind => count(s"1.local.$kind")) == Seq(1, 1, 1))
        assert(count("1.local.write") > 0 && count("1.local.read") > 1)
        assert(timers.get("scratch.1.local.read").getSnapshot.get99thPercentile > 0)
        assert(count("2.local.write") == 0)
      }
    }
  }

  test("the UI's port answers with both: metrics, and what was decided") {
    below { folder =>
      val sink = "spark.metrics.conf.*.sink.prometheusServlet"
      val ui = Seq(
        "spark.ui.enabled" -> "true",
        "spark.ui.port" -> "0",
        s"$sink.class" -> "org.apache.spark.metrics.sink.PrometheusServlet",
        s"$sink.path" -> "/metrics/prometheus"
      )
      withContext(s"local:$folder/a?capacity=1m,local:$folder/b", ui: _*) { sc =>
        sc.parallelize(Seq(new Array[Byte](5000)), 1).persist(StorageLevel.DISK_ONLY).count()
        def get(page: String): String = {
          val source = Source.fromURL(sc.uiWebUrl.get + page, "UTF-8")
          try source.mkString
          finally source.close()
        }
        val json = get("/metrics/json/")
        val write = json.substring(json.indexOf(".hpc.scratch.1.local.write\""))
        assert(write.contains("\"count\":") && write.contains("\"p99\":"))
        assert(get("/metrics/prometheus/").contains("hpc_scratch_1_local_used_Value"))
        sc.listenerBus.waitUntilEmpty()
        val decided = s"1. local ${tiers(sc).all.head.directory} ("
        assert(get(s"/api/v1/applications/${sc.applicationId}/environment").contains(decided))
      }
    }
  }

  test("at most what the file system has is a tier's capacity, whatever was written") {
    onSmallTmpfs("8m") { memory =>
      below { folder =>
        withContext(s"memory:$memory/a?capacity=1g,local:$folder/b") { sc =>
          assert(tiers(sc).all.head.capacity == (8 << 20))
          assert(blocks(sc).decided.get.contains("at most 8.0 MiB"))
        }
      }
    }
  }

  private def refusal(scratch: String, settings: (String, String)*): String =
    intercept[IllegalArgumentException](withContext(scratch, settings: _*)(_ => ())).getMessage

  test("nonsense ends the application before it begins, in one line") {
    below { folder =>
      assert(
        refusal("local:relative") ==
          "spark.hpc.scratch.tiers is 'local:relative': 'relative' in 'local:relative' is no absolute " +
          "path; write one such as /local/scratch"
      )
      assert(refusal("local:$NO_SUCH_VARIABLE/a").contains("$NO_SUCH_VARIABLE isn't set"))
      assert(refusal(s"local:$folder,local:$folder/").contains(s"$folder stands there twice"))
      val file = Files.createFile(folder.resolve("file"))
      assert(refusal(s"local:$file/a").contains("where no directory can be made on"))
    }
  }

  for (key <- Seq("spark.shuffle.push.enabled", "spark.shuffle.useOldFetchProtocol"))
    test(s"$key is refused, since nobody could serve it") {
      below { folder =>
        assert(
          refusal(s"local:$folder", key -> "true") ==
            s"$key is 'true', but with spark.hpc.scratch.tiers=local:$folder shuffle outputs are in " +
            s"directories that no other service can enter: set $key=false, or leave " +
            "spark.hpc.scratch.tiers out"
        )
        assert(filesIn(folder).isEmpty)
        withContext(s"local:$folder", key -> "false")(sc => assert(sc.range(0, 3).count() == 3))
      }
    }

  test("stripes are asked of a command that has to be there") {
    below { folder =>
      val message = refusal(s"global:$folder/a?stripes=4")
      assert(message.contains("lfs") && message.contains("stripes=4 needs Lustre and its command"))
    }
  }

  test(
    "a tier that everybody can put something else in the place of is refused"
  ) {
    below { folder =>
      val open = Files.createDirectory(folder.resolve("open"))
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"))
      for (tier <- Seq(open, open.resolve("new"))) {
        val message = refusal(s"local:$tier")
        assert(
          message.startsWith(s"spark.hpc.scratch.tiers=local:$tier names local:$tier"),
          message
        )
        assert(message.contains(s"$open (mode 777, owner ") && message.contains("chmod +t it"))
      }
      assert(filesIn(folder).isEmpty)
    }
  }

  test("what was decided is a setting of the driver's, for its Environment page") {
    below { folder =>
      val decided = "spark.hpc.scratch.decided"
      withContext(s"local:$folder/a?capacity=1m,local:$folder/b", decided -> "stale") { sc =>
        val lines = sc.getConf.get(decided).linesIterator.toSeq
        assert(lines.head == s"Scratch tiers, by ${sc.getConf.get("spark.hpc.scratch.tiers")
            .mkString("spark.hpc.scratch.tiers=", "", ":")}")
        assert(lines(1).startsWith(s"  1. local $folder/a/spark-hpc-"))
        assert(lines(1).endsWith("at most 1024.0 KiB") && lines(2).contains("shuffle files"))
      }
      withSpark(1, decided -> "stale")(sc => assert(!sc.getConf.contains(decided)))
    }
  }

  test("what Spark itself wrote at home is in its tier's count, and leaves it no room") {
    below { folder =>
      withContext(s"local:$folder/a?capacity=2m,local:$folder/b") { sc =>
        val home = tiers(sc).home
        assert(home == tiers(sc).all.last)
      }
      withContext(s"local:$folder?capacity=2m") { sc =>
        val home = tiers(sc).home
        val pairs = sc.range(0, 100, 1, 2).map(n => (n, new Array[Byte](10000)))
        assert(pairs.partitionBy(new HashPartitioner(2)).count() == 100)
        val outputs = filesIn(folder).filter(_.getName.startsWith("shuffle_")).map(_.length).sum
        assert(outputs > 1000000)
        eventually(Timeout(Span(60, Seconds)))(assert(home.usedByOthers == outputs))
        val cached = sc.parallelize(0 until 2, 2).map(_ => new Array[Byte](800000))
          .persist(StorageLevel.DISK_ONLY)
        val failure = intercept[SparkException](cached.count()).getMessage
        assert(failure.contains(s"of 2097152 bytes used, $outputs by others"))
      }
    }
  }

  test("auto takes what this node has, and everything goes there") {
    withContext("auto") { sc =>
      sortAndGroup(sc)
      assertEmpty(tiers(sc).all)
      assert(blocks(sc).localDirs.nonEmpty)
    }
  }
}

/** Fails while it is written. */
private class Unwritable extends Externalizable {
  override def writeExternal(out: ObjectOutput): Unit =
    throw new NotSerializableException("as told")
  override def readExternal(in: ObjectInput): Unit = ()
}
