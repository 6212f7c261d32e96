package org.sparkhpc.apps

import scala.util.hashing.MurmurHash3

import org.apache.spark.SparkContext
import org.apache.spark.storage.StorageLevel

/** Caches 10,000 numbers in PARTS partitions in memory that has no room for them, and says what they are
  * each time that they are asked for: `ShortOfMemory PARTS`.
  */
object ShortOfMemory {
  private val Size = 10000

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    try {
      Report.storageClasses(sc, 2)
      val numbers = sc.parallelize(1 to Size, args(0).toInt).persist(StorageLevel.MEMORY_ONLY)
      for (round <- 1 to 3) {
        val all = numbers.collect()
        Report.line(s"contents.$round", s"${all.length} ${MurmurHash3.arrayHash(all)}")
      }
      Report.line("kept", sc.getRDDStorageInfo.map(_.numCachedPartitions).sum)
    } finally sc.stop()
  }
}
