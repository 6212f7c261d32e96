package org.apache.spark.storage

import java.util.concurrent.{Executors, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.util.{Failure, Random, Success, Try}

import org.apache.spark.{SparkContext, SparkException}
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.ShortOfMemory.{BlockBytes, Blocks}
import org.apache.spark.storage.hpc.cache.CacheSpillingSuite
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}
import org.scalatest.tagobjects.Slow

/** 64 task threads and eight jobs at a time on blocks of all sorts, with tasks killed in the middle and
  * spilled files damaged. Spark's checks for leaked memory and locks are on.
  */
class SpillingStressSuite extends AnyFunSuite with Eventually with ShortOfMemory {
  import SpillingStressSuite._

  private val seed = sys.props.get("stress.seed").fold(System.nanoTime())(_.toLong)

  private def cached(sc: SparkContext): Seq[RDD[Int]] = {
    val numbers = sc.parallelize(0 until Blocks, Blocks)
    val blocks = Seq(
      numbers.map(bytes).persist(StorageLevel.MEMORY_ONLY).map(_(0).toInt),
      numbers.map(bytes).persist(StorageLevel.MEMORY_ONLY_SER).map(_(0).toInt),
      numbers.map(bytes).persist(StorageLevel.MEMORY_AND_DISK).map(_(0).toInt),
      numbers.map(new NotSerialized(_)).cache().map(_.index),
      numbers.map(new CacheSpillingSuite.WithTransient(_)).cache().map(_.index),
      numbers.map(new CacheSpillingSuite.Unreadable(_)).cache().map(_.index)
    )
    blocks :+ blocks.head.zip(blocks(3)).map { case (a, b) => (a + b) / 2 }.cache()
  }

  for (kind <- Seq("local", "shared")) test(
    s"on $kind scratch results are right, and neither memory nor locks leak: -Dstress.seed=$seed",
    Slow
  ) {
    withContext(
      "spark.hpc.scratch.kind" -> kind,
      "spark.master" -> "local[64, 8]",
      "spark.unsafe.exceptionOnMemoryLeak" -> "true",
      "spark.storage.exceptionOnPinLeak" -> "true"
    ) { sc =>
      val rdds = cached(sc)
      val finished, killed = new AtomicInteger
      val jobs = Executors.newFixedThreadPool(8)
      val outcomes = (1 to Jobs).map { job =>
        jobs.submit { () =>
          // Seeds in a row begin with the same numbers.
          val random = new Random(new Random(seed * 1000 + job).nextLong())
          if (random.nextInt(4) == 0) {
            sc.setJobGroup(s"job $job", "to be killed", interruptOnCancel = true)
            val killer = new Thread(() => {
              Thread.sleep(random.nextInt(30).toLong)
              sc.cancelJobGroup(s"job $job")
            })
            killer.start()
          } else {
            sc.clearJobGroup()
          }
          if (random.nextInt(5) == 0) damageOne(random, rdds)
          Try(rdds(random.nextInt(rdds.size)).sum()) match {
            case Success(sum) =>
              assert(sum == (0 until Blocks).sum)
              finished.incrementAndGet()
            case Failure(failure: SparkException) if failure.getMessage.contains("cancel") =>
              killed.incrementAndGet()
            case Failure(failure) => throw failure
          }
        }
      }
      outcomes.foreach(_.get(120, TimeUnit.SECONDS))
      jobs.shutdown()
      assert(finished.get + killed.get == Jobs && finished.get > Jobs / 3)

      // Killed tasks end a little after their jobs, and so may a copy.
      eventually(timeout(Span(30, Seconds)))(assertNothingHeld(sc))
      assert(rdds.map(_.sum()) == Seq.fill(rdds.size)((0 until Blocks).sum.toDouble))
    }
  }

  /** Spark's block manager in local mode has all of them; a block may go while it is looked for. */
  private def damageOne(random: Random, rdds: Seq[RDD[Int]]): Unit = {
    val files = rdds.head.dependencies.map(_.rdd).flatMap(spilledFiles)
    if (files.nonEmpty) files(random.nextInt(files.size)).delete(): Unit
  }

  private def assertNothingHeld(sc: SparkContext): Unit = {
    val blocks = manager.blockInfoManager.entries.toSeq
    assert(blocks.exists(_._1.isRDD))
    for ((id, info) <- blocks)
      assert(info.readerCount == 0 && info.writerTask == BlockInfo.NO_WRITER, id)
    assert(manager.memoryStore.currentUnrollMemory == 0)
    val inMemory =
      blocks.map(_._1).filter(manager.memoryStore.contains).map(manager.memoryStore.getSize)
    assert(sc.env.memoryManager.storageMemoryUsed == inMemory.sum)
  }
}

object SpillingStressSuite {
  private val Jobs = 75

  private def bytes(index: Int): Array[Byte] = Array.fill(BlockBytes)(index.toByte)

  final class NotSerialized(val index: Int) {
    val ballast = new Array[Byte](BlockBytes)
  }
}
