package org.apache.spark.storage

import java.io.File
import java.util.concurrent.atomic.AtomicIntegerArray

import scala.reflect.ClassTag

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.hpc.patch.HpcBlockManager

/** A local Spark with storage memory for about 20 blocks of [[ShortOfMemory.BlockBytes]]. */
trait ShortOfMemory extends LocalSpark {
  import ShortOfMemory._

  def withContext[A](settings: (String, String)*)(test: SparkContext => A): A = {
    val short = Seq(
      "spark.testing.memory" -> (40 * BlockBytes).toString,
      "spark.testing.reservedMemory" -> "0",
      "spark.memory.fraction" -> "0.5",
      "spark.storage.unrollMemoryThreshold" -> "4096",
      // Tests' elements take less to compute than to write.
      "spark.hpc.retention.spill" -> "always",
      // What no variable refers to any more stays, and takes its room.
      "spark.cleaner.referenceTracking" -> "false"
    )
    withSpark(1, short ++ settings: _*)(test)
  }

  def manager: HpcBlockManager = SparkEnv.get.blockManager.asInstanceOf[HpcBlockManager]

  /** What was spilled of an RDD, so far as it is there. */
  def spilledFiles(rdd: RDD[_]): Seq[File] =
    (0 until rdd.getNumPartitions)
      .map(index => manager.diskBlockManager.getFile(RDDBlockId(rdd.id, index)))
      .filter(_.exists)

  /** Puts an RDD of many blocks into the cache, so that what was there has to go. */
  def press(sc: SparkContext): RDD[Array[Byte]] = {
    val other = sc.parallelize(0 until Blocks, Blocks).map(_ => new Array[Byte](BlockBytes)).cache()
    other.count()
    other
  }
}

object ShortOfMemory {
  val BlockBytes: Int = 50000
  val Blocks: Int = 20

  /** An RDD of `Blocks` blocks of one element each that counts how often each was computed. */
  final class Counted[T: ClassTag](
      sc: SparkContext,
      level: StorageLevel = StorageLevel.MEMORY_ONLY,
      blocks: Int = Blocks
  )(element: Int => T) {
    private val key = Counted.next()

    val rdd: RDD[T] = Counted.rdd(sc, key, blocks)(element).persist(level)

    /** How often each partition was computed since the last call. */
    def computed(): Seq[Int] = {
      val counts = Counted.computed(key)
      (0 until blocks).map(counts.getAndSet(_, 0))
    }
  }

  object Counted {
    private val all = new java.util.concurrent.ConcurrentHashMap[Int, AtomicIntegerArray]

    def next(): Int = all.synchronized {
      val key = all.size
      all.put(key, new AtomicIntegerArray(1000))
      key
    }

    def computed(key: Int): AtomicIntegerArray = all.get(key)

    private def rdd[T: ClassTag](sc: SparkContext, key: Int, blocks: Int)(element: Int => T) =
      sc.parallelize(0 until blocks, blocks).map { index =>
        computed(key).incrementAndGet(index)
        element(index)
      }

  }
}
