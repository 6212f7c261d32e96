package org.sparkhpc.apps

import org.apache.spark.SparkContext
import org.apache.spark.storage.StorageLevel

/** Caches blocks on the disks of two executors, then reads all of them in one task. */
object Neighbours {
  private val Parts = 8

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    try {
      // Both are there.
      Report.storageClasses(sc, 2)
      val computed = sc.longAccumulator
      val cached = sc.range(0, 16000, 1, Parts)
        .map { n =>
          computed.add(1)
          // So that both have some.
          if (n % 1000 == 0) Thread.sleep(20)
          (n % 3, n)
        }
        .persist(StorageLevel.DISK_ONLY)
      cached.count()
      val before = computed.value
      val all = cached.coalesce(1).mapPartitions(rows => Iterator(rows.map(_._2).sum))
      Report.line("sum", all.collect().mkString(" "))
      Report.line("again", computed.value - before)
      // Of a shuffle, too.
      Report.line("sums", cached.reduceByKey(_ + _, 3).collect().sorted.mkString(" "))
    } finally sc.stop()
  }
}
