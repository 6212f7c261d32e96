package org.apache.spark.shuffle.hpc

import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.channels.{ClosedByInterruptException, WritableByteChannel}
import java.nio.file.{Files, Path}
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._
import scala.util.Try
import scala.util.hashing.MurmurHash3

import com.google.common.io.ByteStreams
import org.apache.spark.{
  FetchFailed,
  HashPartitioner,
  MapOutputTrackerMaster,
  SparkConf,
  SparkContext,
  SparkEnv,
  TaskContext
}
import org.apache.spark.internal.config.SHUFFLE_IO_PLUGIN_CLASS
import org.apache.spark.network.util.AbstractFileRegion
import org.apache.spark.shuffle.{FetchFailedException, ShuffleBlockInfo}
import org.apache.spark.shuffle.hpc.read.VerifiedStream
import org.apache.spark.storage.{ShuffleBlockBatchId, ShuffleBlockId}
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Real jobs whose map outputs are in containers in the executor's own scratch. */
class FastestShuffleSuite extends AnyFunSuite with ShuffleJobs {
  import ShuffleJobs.manager

  // Where a container's first output begins.
  private val Data = 16L << 20

  private def disk: HpcDiskBlockManager =
    SparkEnv.get.blockManager.diskBlockManager.asInstanceOf[HpcDiskBlockManager]

  private def named(end: String): Seq[Path] =
    filesBelow(shared).filter(_.toString.endsWith(end))

  private def local: (String, String) = "spark.local.dir" -> shared.toString

  for ((what, settings) <- ways)
    test(s"results are Spark's, with $what") {
      withContext(settings :+ local: _*) { sc =>
        assert(results(sc) == expected)
        assert(locations.forall(_ == "driver"))
        val shuffles = SparkEnv.get.mapOutputTracker
          .asInstanceOf[MapOutputTrackerMaster].shuffleStatuses.size
        assert(named(".container").size == shuffles)
        assert(named(".data").isEmpty && named(".index").isEmpty)
      }
      assert(filesBelow(shared).isEmpty)
    }

  test("partitions without rows have no blocks, encrypted and merged of spills though they are") {
    val settings = Seq(
      "spark.io.encryption.enabled" -> "true",
      // It doesn't read an empty stream.
      "spark.io.compression.codec" -> "snappy",
      "spark.shuffle.spill.numElementsForceSpillThreshold" -> "100"
    )
    withContext(settings :+ local: _*) { sc =>
      val one = sc.range(0, 1000, 1, 2).map(n => (0, n)).groupByKey(6).mapValues(_.size)
      assert(one.collect().toSeq == Seq((0, 1000)))
    }
  }

  test("attempts of a task that failed leave no bytes") {
    val (numbers, letters) = (40000, "some twenty letters," * 10)
    for ((what, reducers) <- Seq("buckets" -> 10, "a sort" -> 300))
      withContext(
        "spark.master" -> "local[1,4]",
        "spark.shuffle.compress" -> "false",
        local
      ) { sc =>
        val words = sc.range(0, numbers.toLong, 1, 1).map { n =>
          if (n == numbers - 1 && TaskContext.get().attemptNumber() < 3) sys.error("once more")
          (n.toInt, s"$n $letters")
        }
        val shuffled = words.partitionBy(new HashPartitioner(reducers))
        assert(shuffled.coalesce(4).count() == numbers, what)
        val Seq(container) = manager.own.all
        assert(container.deadBytes == 0 && container.liveBytes > (6 << 20), what)
        val Seq(file) = named(".container")
        assert(Files.size(file) == Data + container.liveBytes, what)
      }
  }

  private def grouped(sc: SparkContext) =
    sc.range(0, 20000, 1, 8).map(n => (n % 50, n)).groupByKey(3)

  test("with local directories on several disks all are used") {
    val dirs = Seq("a", "b", "c").map(shared.resolve(_).toString)
    withContext("spark.local.dir" -> dirs.mkString(",")) { sc =>
      assert(grouped(sc).count() == 50)
      assert(named(".container").map(_.getParent.getParent.toString).toSet == dirs.toSet)
    }
  }

  test("outputs go on in the next tier when one is full, and give back what they took") {
    val Seq(small, large) =
      Seq("small", "large").map(name => Files.createDirectory(shared.resolve(name)))
    val tiers = "spark.hpc.scratch.tiers" -> s"local:$small?capacity=1500k,local:$large"
    withContext(tiers, local, "spark.shuffle.compress" -> "false") { sc =>
      // Each output is larger than the first tier.
      val numbers = 0L until 40000L
      val letters = " of some forty letters, all of them alike" * 15
      val words = sc.parallelize(numbers, 8).map(n => (n % 50, s"$n$letters"))
      val sums = words.groupByKey(3).mapValues(_.map(_.takeWhile(_.isDigit).toLong).sum)
      assert(sums.collect().toMap == numbers.groupBy(_ % 50).mapValues(_.sum))
      val Seq(first, second) = disk.tiers.get.all
      for (tier <- Seq(first, second)) {
        assert(filesBelow(tier.directory.toPath).exists(_.toString.endsWith(".container")), tier)
        assert(tier.used > 0 && tier.used <= tier.capacity, tier)
      }
      assert(first.overflows > 0)
      assert(manager.own.byKind("local").getCount == 8 && manager.own.moved.getCount > 0)
      cleanUp(sc)
      assert(named(".container").isEmpty && named(".containers").isEmpty)
      assert(first.used == 0 && second.used == 0)
    }
  }

  test("outputs go on in the next tier when the home tier's directories can't be made") {
    val Seq(home, next) =
      Seq("home", "next").map(name => Files.createDirectory(shared.resolve(name)))
    withContext("spark.hpc.scratch.tiers" -> s"local:$home,global:$next", local) { sc =>
      // As where a quota of files is used up, for root as well.
      for (n <- 0 until 64)
        Files.createSymbolicLink(
          disk.localDirs.head.toPath.resolve(f"$n%02x"),
          shared.resolve("nowhere")
        )
      assert(grouped(sc).count() == 50)
      val Seq(first, second) = disk.tiers.get.all
      assert(first eq disk.tiers.get.home)
      assert(!first.hasRoom && first.failures > 0 && first.used == 0)
      assert(filesBelow(second.directory.toPath).exists(_.toString.endsWith(".container")))
    }
  }

  test(
    "where the list for neighbours can't be written no task fails, and they ask by the network"
  ) {
    val tier = Files.createDirectory(shared.resolve("tier"))
    withContext("spark.hpc.scratch.tiers" -> s"local:$tier", local) { sc =>
      // As on a disk that is full or dead, for root as well.
      Files.createDirectories(disk.localDirs.head.toPath.resolve("shuffle_0.containers/in the way"))
      assert(grouped(sc).count() == 50)
      assert(named(".container").nonEmpty)
      val dirs = Some(disk.localDirsString)
      assert(stored.size == 8)
      for (mapTaskId <- stored; part <- 0 until 3) {
        val block = ShuffleBlockId(0, mapTaskId, part)
        val Seq(own, neighbours) = Seq(None, dirs).map { from =>
          bytes(manager.shuffleBlockResolver.getBlockData(block, from).nioByteBuffer())
        }
        assert(own == neighbours && own.nonEmpty)
      }
      cleanUp(sc)
      assert(named(".container").isEmpty)
    }
  }

  test("a task that is killed while it makes a container has no tier passed over") {
    val Seq(one, other) =
      Seq("one", "other").map(name => Files.createDirectory(shared.resolve(name)))
    withContext("spark.hpc.scratch.tiers" -> s"local:$one,local:$other", local) { _ =>
      Thread.currentThread.interrupt()
      intercept[ClosedByInterruptException](manager.own.begin(77, 3))
      assert(Thread.interrupted())
      val Seq(first, second) = disk.tiers.get.all
      for (tier <- Seq(first, second)) assert(tier.hasRoom && tier.used == 0, tier)
    }
  }

  test("a shuffle is removed without a look for files of Spark's") {
    def directories: Set[Path] = {
      val all = Files.walk(shared)
      try all.iterator().asScala.filter(Files.isDirectory(_)).toSet
      finally all.close()
    }
    withContext(local) { sc =>
      assert(grouped(sc).count() == 50)
      val before = directories
      assert(named(".container").nonEmpty)
      cleanUp(sc)
      assert(named(".container").isEmpty)
      // Spark makes a directory for each file that it looks for.
      assert(directories == before)
    }
  }

  for (compress <- Seq("true", "false"))
    test(s"a damaged container is written again, and the result is right; compression: $compress") {
      val tasks = new AtomicInteger
      withContext(local, "spark.shuffle.compress" -> compress) { sc =>
        sc.addSparkListener(counting(tasks))
        val twice = grouped(sc).mapValues(_.sum)
        val before = twice.collect().toSeq.sorted
        val Seq(container) = named(".container")
        manager.files.forget(0)
        // Near the end of the last block, most of which is fetched before.
        change(container.toFile, container.toFile.length - 6)
        assert(twice.collect().toSeq.sorted == before)
      }
      assert(tasks.get == 2 * 8)
    }

  for {
    codec <- Seq("none", "lzf")
    (size, words) <- Seq("small" -> 10L, "large" -> 480L)
  } test(
    s"no task fails for good by what it makes of damaged bytes: $size blocks, codec $codec",
    Slow
  ) {
    val settings = Seq(
      "spark.master" -> "local[2,4]", // with Spark's four attempts
      "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer",
      "spark.shuffle.compress" -> (codec != "none").toString,
      "spark.io.compression.codec" -> codec.replace("none", "lz4")
    )
    withContext(settings :+ local: _*) { sc =>
      for (at <- 0 until 40 by 3) {
        val random = sc.range(0, words, 1, 2).map { n =>
          // Those in which a byte is damaged are short, however large the block is.
          val numbers = if (n % (words / 2) < 5) 5 else 1000
          (n % 7, Seq.tabulate(numbers)(i => MurmurHash3.mix(n.toInt, i)).mkString)
        }
        val twice = random.groupByKey(1).mapValues(_.toSeq.sorted.hashCode)
        val before = twice.collect().toSeq.sorted
        val container = named(".container").maxBy(Files.getLastModifiedTime(_))
        // Of its two blocks.
        val isLarge = Files.size(container) - Data > 2 * VerifiedStream.Small
        assert(isLarge == (size == "large"))
        change(container.toFile, Data + at)
        assert(twice.collect().toSeq.sorted == before, at)
        cleanUp(sc)
      }
    }
  }

  test("what of a neighbour's is damaged in the middle of a read is a failed fetch") {
    withContext(local, "spark.shuffle.compress" -> "false") { sc =>
      assert(grouped(sc).count() == 50)
      val Seq(container) = named(".container")
      manager.files.forget(0)
      change(container.toFile, container.toFile.length - 6)
      // In a task's thread.
      TaskContext.setTaskContext(TaskContext.empty())
      val reasons =
        try stored.map(exhausted(_).failed.toOption)
        finally TaskContext.unset()
      val Seq(failure) = reasons.flatten
      val failed = failure.asInstanceOf[FetchFailedException].toTaskFailedReason
        .asInstanceOf[FetchFailed]
      assert(failed.bmAddress == SparkEnv.get.blockManager.blockManagerId)
      assert(failed.mapId == stored(reasons.indexOf(Some(failure))))
      assert((failed.shuffleId, failed.reduceId) == ((0, 2)) && failed.mapIndex >= 0)
      assert(failed.message.contains(s"$container: Block("), failed)
    }
  }

  /** Reads what a neighbour of this executor reads of the last partition. */
  private def exhausted(mapTaskId: Long): Try[Array[Byte]] = {
    val block = ShuffleBlockId(0, mapTaskId, 2)
    val dirs = Some(disk.localDirsString)
    val in = manager.shuffleBlockResolver.getBlockData(block, dirs).createInputStream()
    Try(ByteStreams.toByteArray(in))
  }

  private def stored: Seq[Long] =
    manager.shuffleBlockResolver.getStoredShuffles().map(_.mapId).sorted

  private def bytes(buffer: ByteBuffer): Seq[Byte] = {
    val array = new Array[Byte](buffer.remaining)
    buffer.get(array)
    array.toSeq
  }

  /** The map tasks of shuffle 0, and what each of its three partitions holds. */
  private def outputs: Seq[(Long, Seq[Seq[Byte]])] =
    for (output <- stored) yield {
      val parts = for (part <- 0 until 3) yield {
        val block = ShuffleBlockId(0, output, part)
        bytes(manager.shuffleBlockResolver.getBlockData(block, None).nioByteBuffer())
      }
      (output, parts)
    }

  test("an executor on the same node finds them by the local directories alone") {
    withContext(local) { sc =>
      assert(grouped(sc).count() == 50)
      val dirs = Some(disk.localDirsString)
      assert(outputs.size == 8)
      for ((mapTaskId, parts) <- outputs) {
        val block = ShuffleBlockBatchId(0, mapTaskId, 1, 3)
        val found = manager.shuffleBlockResolver.getBlockData(block, dirs)
        assert(bytes(found.nioByteBuffer()) == parts(1) ++ parts(2))
      }
    }
  }

  test("a decommissioned executor sends them as Spark's files") {
    withContext(local) { sc =>
      assert(grouped(sc).count() == 50)
      val resolver = manager.shuffleBlockResolver
      assert(outputs.size == 8)
      for ((mapTaskId, parts) <- outputs) {
        val List((_, data), (_, index)) =
          resolver.getMigrationBlocks(ShuffleBlockInfo(0, mapTaskId))
        val offsets = index.nioByteBuffer().asLongBuffer()
        assert(Seq.fill(4)(offsets.get()) == parts.scanLeft(0L)(_ + _.size))
        assert(sent(data.convertToNetty()) == parts.flatten)
      }
    }
  }

  /** What a region sends to a socket that takes a few bytes at a time. */
  private def sent(region: AnyRef): Seq[Byte] = {
    val out = new ByteArrayOutputStream
    val socket = new WritableByteChannel {
      override def write(from: ByteBuffer): Int = {
        val count = math.min(from.remaining, 1000)
        for (_ <- 0 until count) out.write(from.get())
        count
      }
      override def isOpen: Boolean = true
      override def close(): Unit = ()
    }
    val its = region.asInstanceOf[AbstractFileRegion]
    while (its.transferred() < its.count()) its.transferTo(socket, its.transferred())
    its.release()
    out.toByteArray.toSeq
  }

  test("where somebody else reads map outputs, and on demand, they are in Spark's own files") {
    def isContained(settings: (String, String)*): Boolean = {
      val conf = new SparkConf(false).setAll(settings)
      ExecutorSettings.prepare(conf)
      ExecutorSettings.isChosen(conf)
    }
    assert(isContained())
    for (
      setting <- Seq(
        "spark.hpc.shuffle.containers.enabled" -> "false",
        "spark.shuffle.service.enabled" -> "true",
        "spark.shuffle.push.enabled" -> "true",
        "spark.shuffle.useOldFetchProtocol" -> "true",
        "spark.storage.decommission.fallbackStorage.path" -> "file:/fallback/",
        SHUFFLE_IO_PLUGIN_CLASS.key -> "example.Other"
      )
    ) assert(!isContained(setting), setting)
    withContext("spark.hpc.shuffle.containers.enabled" -> "false", local) { sc =>
      assert(results(sc) == expected)
      assert(named(".container").isEmpty && named(".index").nonEmpty)
    }
  }
}
