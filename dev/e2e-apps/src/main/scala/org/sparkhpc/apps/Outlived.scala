package org.sparkhpc.apps

import java.nio.file.{Path, Paths}

import scala.annotation.tailrec

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.StorageLevel

/** Caches blocks on disk in a tier that all executors see, kills an executor, and reads them again:
  * `Outlived TIER NOTES`, directories that all executors see.
  */
object Outlived {
  private val Parts = 8

  def main(args: Array[String]): Unit = {
    val Array(tier, notes) = args.map(Paths.get(_))
    val sc = SparkContext.getOrCreate()
    try {
      Report.storageClasses(sc, 2)
      val computed = sc.longAccumulator
      // Of a shuffle, whose outputs are lost with their executor.
      def sums() = sc.range(0, 16000, 1, Parts)
        .map { n =>
          computed.add(1)
          // So that both executors have some.
          if (n % 1000 == 0) Thread.sleep(20)
          (n % 100, n)
        }
        .reduceByKey(_ + _, Parts)
        .persist(StorageLevel.DISK_ONLY)

      /** Executors find out by and by that a tier is global; until then they keep blocks for themselves. */
      @tailrec def inTier(): RDD[(Long, Long)] = {
        val rdd = sums()
        rdd.count()
        if (blocksIn(tier) == Parts) rdd
        else {
          rdd.unpersist(blocking = true)
          Thread.sleep(200)
          inTier()
        }
      }
      val cached = inTier()
      val before = computed.value
      val loss = Loss("executor", notes.toString)
      sc.range(0, Parts.toLong, 1, Parts).foreachPartition { part =>
        if (part.next() == Parts / 2) loss.happen()
      }
      Report.line("victim", Loss.victim(notes.toString).get)
      for (_ <- 1 to 2) Report.line("sums", cached.collect().sorted.mkString(" "))
      Report.line("again", computed.value - before)
      cached.unpersist(blocking = true)
      Report.line("left", blocksIn(tier))
    } finally sc.stop()
  }

  /** In the application's own directory, where each executor has one. */
  private def blocksIn(tier: Path): Int = FilesBelow(tier).count { file =>
    tier.relativize(file).getNameCount == 3 && file.getFileName.toString.startsWith("rdd_")
  }
}
