package org.sparkhpc.apps

import scala.util.hashing.MurmurHash3

import org.apache.spark.SparkContext
import org.apache.spark.storage.StorageLevel

/** Caches 10,000 numbers in memory that has no room for them, and says what they are each time that they
  * are asked for: `ShortOfMemory PARTS ...`, in so many partitions, one RDD after the other. Each is cached
  * twice: what has no room is spilled if that is worth it, and then always.
  */
object ShortOfMemory {
  private val Size = 10000

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    try {
      Report.storageClasses(sc, 2)
      for (spill <- Seq("auto", "always"); parts <- args) {
        sc.setLocalProperty("spark.hpc.retention.spill", spill)
        val numbers = sc.parallelize(1 to Size, parts.toInt).persist(StorageLevel.MEMORY_ONLY)
        for (round <- 1 to 3) {
          val all = numbers.collect()
          val contents = s"${all.length} ${MurmurHash3.arrayHash(all)}"
          Report.line(s"$spill.$parts.contents.$round", contents)
        }
        Report.line(s"$spill.$parts.kept", sc.getRDDStorageInfo.map(_.numCachedPartitions).sum)
        // The next one has all memory for itself.
        numbers.unpersist(blocking = true)
      }
    } finally sc.stop()
  }
}
