package org.apache.spark.shuffle.hpc

import java.io.IOException
import java.nio.file.{Files, Path}
import java.util.concurrent.atomic.AtomicInteger

import scala.collection.JavaConverters._

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.hpc.container._
import org.scalatest.concurrent.Eventually._
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.SpanSugar._

/** Real jobs whose map outputs of small blocks are merged in the background. */
class MergedShuffleSuite extends AnyFunSuite with ShuffleJobs {
  import ShuffleJobs.manager

  private def settings(merge: String): Seq[(String, String)] = Seq(
    "spark.hpc.shuffle.placement" -> "global",
    "spark.hpc.shuffle.directory" -> shared.resolve("spark").toString,
    "spark.hpc.shuffle.merge" -> merge,
    "spark.hpc.shuffle.route" -> "direct",
    "spark.shuffle.compress" -> "false"
  )

  for ((what, more) <- ways)
    test(s"results are Spark's, merged, with $what") {
      withContext(settings("always") ++ more: _*) { sc =>
        assert(results(sc) == expected)
        eventually(timeout(60.seconds))(assert(manager.counts.mergedOutputs.getCount > 0))
      }
    }

  private val maps = 40

  /** 40 outputs of 100 blocks of 1 KiB. */
  private def grouped(sc: SparkContext): RDD[(Long, Int)] =
    sc.range(0, maps * 100L, 1, maps).map(n => (n % 100, new Array[Byte](1000)))
      .groupByKey(100).mapValues(_.size)

  private def lengths(grouped: RDD[(Long, Int)]): Unit =
    assert(grouped.collect().toSeq.sorted == (0L until 100L).map((_, maps)))

  private def index(container: Path): ContainerIndex = {
    val bytes = new FileBytes(container)
    try ContainerIndex.read(bytes)
    finally bytes.close()
  }

  private def container: Path = {
    val all = Files.walk(shared)
    try all.iterator().asScala.find(_.toString.endsWith(".container")).get
    finally all.close()
  }

  test("a reducer reads once what many outputs have for it, and a damaged merge not at all") {
    withContext(settings("auto"): _*) { sc =>
      val its = grouped(sc)
      lengths(its)
      val counts = manager.counts
      // Fewer than 8 aren't merged; without merges each block is a read.
      eventually(timeout(60.seconds))(assert(counts.mergedOutputs.getCount > maps - 8))
      assert(ContainerTool.run(List("verify", container.toString), System.out, System.err) == 0)
      def reads(): (Long, Long) = {
        val before = (counts.directReads.getCount, counts.mergedReads.getCount)
        manager.files.forget(0)
        lengths(its)
        (counts.directReads.getCount - before._1, counts.mergedReads.getCount - before._2)
      }
      val (all, merged) = reads()
      assert(all < 100 * 13 && merged >= 100)
      change(container.toFile, index(container).merges.last.extent.end - 7)
      assert(reads() == ((all + 1, merged)))
    }
  }

  test("nothing is merged unless somebody wants it") {
    withContext(settings("never"): _*) { sc =>
      lengths(grouped(sc))
      assert(manager.counts.mergedOutputs.getCount == 0)
    }
  }

  test("the first merge that can't be written is the last that is tried") {
    val file = ContainerFile(3, shared.resolve("one"))
    // Room for the outputs alone.
    val room = new Room {
      private val left = new AtomicInteger(28 + 2 * (5 + 4 + 20))
      override def take(count: Int): Boolean = left.addAndGet(-count) >= 0
      override def wrote(count: Int, nanos: Long): Unit = ()
      override def refused(failure: IOException): Unit = ()
      override def gaveBack(bytes: Long): Unit = ()
    }
    val writer = ContainerWriter.create(file.path, 3, 1, isForced = false, room)
    val limits = BackgroundMerging.Limits(least = 2, most = 2, meanBlock = 1L << 20)
    val counts = new RouteCounts
    val merging = new BackgroundMerging(limits, counts)
    try {
      Seq(1L, 2L).foreach(ContainerFixture.write(writer, _, Seq("hello".getBytes)))
      index(file.path).all.foreach(merging.published(file, writer, _))
      eventually(timeout(60.seconds))(assert(!merging.isOn))
      assert(counts.mergedOutputs.getCount == 0)
    } finally {
      merging.close()
      writer.close()
    }
    assert(ContainerTool.run(List("verify", file.path.toString), System.out, System.err) == 0)
  }
}
