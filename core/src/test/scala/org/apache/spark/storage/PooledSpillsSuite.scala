package org.apache.spark.storage

import java.io.File
import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.{CyclicBarrier, TimeUnit}

import scala.collection.JavaConverters._
import scala.util.Try

import org.apache.spark.{HashPartitioner, SparkContext, SparkException, TaskContext}
import org.apache.spark.storage.hpc.spill.{SpillFiles, SpillInputStream}
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}
import org.scalatest.tagobjects.Slow
import org.sparkhpc.file.{InThread, PoolCounts}

/** What ExternalSorter and ExternalAppendOnlyMap spilled, read back in real jobs. */
class PooledSpillsSuite extends AnyFunSuite with Eventually with LocalSpark {
  import PooledSpillsSuite._

  /** Tasks spill whenever they have taken so many elements, in batches of so many. */
  private def withContext[A](cores: Int, elements: Int, batch: Int, settings: (String, String)*)(
      test: SparkContext => A
  ): A = {
    val spilling = Seq(
      "spark.shuffle.spill.numElementsForceSpillThreshold" -> (elements - 1).toString,
      "spark.shuffle.spill.batchSize" -> batch.toString,
      "spark.shuffle.file.buffer" -> "4k"
    )
    withSpark(cores, spilling ++ settings: _*)(test)
  }

  private def counts: PoolCounts = store.pool.get.counts

  /** Temporary files that this process has open, deleted ones as well. */
  private def openSpills: Seq[Path] = {
    val descriptors = Files.list(Paths.get("/proc/self/fd"))
    try descriptors.iterator.asScala.toList
        .flatMap(link => Try(Files.readSymbolicLink(link)).toOption)
        .filter(_.getFileName.toString.startsWith("temp_"))
    finally descriptors.close()
  }

  /** Groups distinct keys in one task, which spills a map of them fifty times. */
  private def groups(sc: SparkContext): Long =
    sc.parallelize(0 until Groups, 4).map(key => (key, key)).groupByKey(1)
      .map { case (key, values) => if (values.toSeq == Seq(key)) 1L else 0L }.reduce(_ + _)

  test("a spill is opened once, however many batches it has, and not held when it is deleted") {
    withContext(cores = 1, elements = 101, batch = 10) { sc =>
      assert(groups(sc) == Groups)
      // Fifty spills of eleven batches each; each batch is at least one read.
      assert(counts.opens == 50)
      assert(counts.hits >= 50 * 10)
      assert(counts.openNow == 0 && openSpills.isEmpty)
      val gauges = sc.env.metricsSystem.getSourcesByName("hpc").head.metricRegistry.getGauges
      assert(gauges.get("pool.opens").getValue == 50)
      assert(gauges.get("pool.openNow").getValue == 0)
    }
  }

  test("switched off, there is no pool, and spills are read as in stock Spark") {
    withContext(cores = 1, elements = 101, batch = 10, "spark.hpc.pool.enabled" -> "false") {
      sc =>
        assert(groups(sc) == Groups)
        assert(store.pool.isEmpty)
        val registry = sc.env.metricsSystem.getSourcesByName("hpc").head.metricRegistry
        assert(!registry.getNames.asScala.exists(_.startsWith("pool.")))
        val file = File.createTempFile("spill", "")
        val stream = new SpillInputStream(file)
        try assert(stream.getChannel.size() == 0) // a pooled stream's channel refuses that
        finally {
          stream.close()
          Files.delete(file.toPath)
        }
    }
  }

  test("32 tasks merge 100 spills each through a pool of 16", Slow) {
    withContext(
      cores = 32,
      elements = 10,
      batch = 5,
      "spark.hpc.pool.size" -> "16",
      "spark.shuffle.compress" -> "false"
    ) { sc =>
      val numbers = 32000
      // The keys of a partition come in no order: 7919 has no divisor in common with their number.
      val sorted = sc.parallelize(0 until numbers, 4)
        .map(index => ((index * 7919L % numbers).toInt, index))
        .repartitionAndSortWithinPartitions(new HashPartitioner(32))
      val right = sorted.mapPartitionsWithIndex { (partition, pairs) =>
        pairs.zipWithIndex.map { case ((key, index), place) =>
          key == place * 32 + partition && key == (index * 7919L % numbers).toInt
        }
      }
      val found = right.collect()
      assert((found.length, found.count(identity)) == ((numbers, numbers)))
      assert(counts.opens >= 3200 && counts.evictions > 0 && counts.bound == 16)
      assert(counts.openNow == 0 && openSpills.isEmpty)
    }
  }

  test("200 tasks merge spills and read blocks, all at once, through a pool of 16") {
    withContext(cores = Tasks, elements = 20, batch = 5, "spark.hpc.pool.size" -> "16") { sc =>
      val numbers = sc.parallelize(0 until 20000, Tasks)
      def line(number: Int): String = f"$number%0200d" // so that a block is several reads
      val cached = numbers.map(line).persist(StorageLevel.DISK_ONLY)
      assert(cached.count() == 20000)
      // Few tasks, each of which makes a file for each reducer.
      val sorted = sc.parallelize(0 until 20000, 4)
        .map(index => ((index * 7919L % 20000).toInt, index))
        .repartitionAndSortWithinPartitions(new HashPartitioner(Tasks))
      def reads: Long = counts.hits + counts.opens
      val before = reads
      val right = sorted.zipPartitions(cached) { (pairs, lines) =>
        val partition = TaskContext.getPartitionId()
        assert(pairs.hasNext && lines.hasNext)
        allAreReading.await(60, TimeUnit.SECONDS)
        lines.zip(pairs).zipWithIndex.map { case ((read, (key, index)), place) =>
          key == place * Tasks + partition && key == (index * 7919L % 20000).toInt &&
          read == line(partition * 100 + place)
        }
      }
      val found = right.collect()
      assert((found.length, found.count(identity)) == ((20000, 20000)))
      // Of four spills in five batches each, and of a block.
      assert(reads - before > 20 * Tasks && counts.evictions > 0 && counts.pastBound == 0)
      cached.unpersist(blocking = true)
      assert(counts.openNow == 0 && openSpills.isEmpty)
    }
  }

  test("tasks that are killed in the middle of a merge leave no file open and no reader waiting") {
    withContext(cores = 8, elements = 100, batch = 10, "spark.hpc.pool.size" -> "4") { sc =>
      def merge(): Long = sc.parallelize(0 until 40000, 8).map(key => (key, key))
        .groupByKey(8).map(_._2.sum.toLong).reduce(_ + _)
      for (round <- 1 to 3) {
        val before = counts.hits
        val group = s"round $round"
        val job = new InThread(group)({
          sc.setJobGroup(group, "to be killed", interruptOnCancel = true)
          while (true) merge()
        })
        eventually(timeout(Span(60, Seconds)))(assert(counts.hits > before))
        eventually(timeout(Span(60, Seconds))) {
          sc.cancelJobGroup(group) // has no effect between two jobs
          assert(job.isOver)
        }
        intercept[SparkException](job.result())
        eventually(timeout(Span(60, Seconds)))(assert(counts.openNow == 0 && openSpills.isEmpty))
      }
      assert(merge() == (0 until 40000).map(_.toLong).sum)
    }
  }

  test("encrypted spills come back through the pool as well") {
    withContext(cores = 1, elements = 101, batch = 10, "spark.io.encryption.enabled" -> "true") {
      sc =>
        assert(groups(sc) == Groups)
        assert(counts.opens == 50 && counts.openNow == 0)
    }
  }

  test("without an environment of Spark's, a spill is read as a file") {
    val file = File.createTempFile("spill", "")
    Files.write(file.toPath, Array[Byte](1, 2, 3))
    val stream = new SpillInputStream(file)
    try {
      stream.getChannel.position(1)
      assert(stream.read() == 2 && stream.available() == 1 && stream.skip(1) == 1)
      assert(stream.read(new Array[Byte](1)) == -1)
    } finally stream.close()
    assert(SpillFiles.delete(file) && !file.exists && !SpillFiles.delete(file))
  }
}

object PooledSpillsSuite {
  private val Tasks = 200

  /** Keys that make one task spill fifty times, and a few more. */
  private val Groups = 50 * 101 + 10

  /** Of the tasks of this process. */
  private val allAreReading = new CyclicBarrier(Tasks)
}
