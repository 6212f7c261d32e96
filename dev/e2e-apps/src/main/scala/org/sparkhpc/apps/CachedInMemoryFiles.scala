package org.sparkhpc.apps

import java.nio.file.{Files, Paths}

import org.apache.spark.SparkContext
import org.apache.spark.storage.StorageLevel

/** Caches more than fits, as MEMORY_ONLY, and says how many bytes of files that makes:
  * `CachedInMemoryFiles BLOCKS`, each of 4 MiB, in `spark.local.dir`.
  */
object CachedInMemoryFiles {
  private val Words = 512 << 10

  def main(args: Array[String]): Unit = {
    val Array(blocks) = args.map(_.toInt)
    val sc = SparkContext.getOrCreate()
    try {
      val computed = sc.longAccumulator
      val cached = sc.range(0, blocks.toLong, 1, blocks).map { block =>
        computed.add(1)
        Array.fill(Words)(block)
      }.persist(StorageLevel.MEMORY_ONLY)
      for (round <- 1 to 2) Report.line(s"sum$round", cached.map(_.sum).sum())
      Report.line("computed", computed.value)
      val files = FilesBelow(Paths.get(sc.getConf.get("spark.local.dir")))
      val bytes = files.filter(_.getFileName.toString.startsWith("rdd_")).map(Files.size(_)).sum
      Report.line("fileBytes", bytes)
      Report.storageClasses(sc, 0)
    } finally sc.stop()
  }
}
