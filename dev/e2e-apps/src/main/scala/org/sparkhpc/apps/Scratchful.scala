package org.sparkhpc.apps

import java.nio.file.{Files, Paths}

import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.StorageLevel

/** Writes scratch files of every kind and looks into them while they are there: blocks of a cache,
  * shuffle files, and the files that a sort spills: `Scratchful DIRECTORY [SIGNAL]`, that of the files.
  * With a SIGNAL it says `cached`, and sorts when there is a file of that name.
  */
object Scratchful {

  private val records = 20000

  def main(args: Array[String]): Unit = {
    val directory = args(0)
    val sc = SparkContext.getOrCreate()
    try {
      val cached = sc.range(0, records.toLong, 1, 4)
        .map(n => (n * 7919 % records, s"${Marker.word}-$n"))
        .persist(StorageLevel.DISK_ONLY)
      for (signal <- args.lift(1)) {
        Report.line("cached", cached.count())
        while (!Files.exists(Paths.get(signal))) Thread.sleep(100)
      }
      val sorted = cached.sortByKey(numPartitions = 3)
      val (lookedAt, parts) = answers(sorted, directory)
      Report.line("spills", lookedAt)
      Report.line("result", parts.mkString(" "))
      Report.line("blocks", Marker.in(directory, "rdd_"))
      Report.line("shuffles", Marker.in(directory, "shuffle_"))
      Report.storageClasses(sc, 2)
    } finally sc.stop()
  }

  /** For each partition its size and a hash of all that is in it, in order. */
  private def answers(sorted: RDD[(Long, String)], directory: String): (Marker.Found, Seq[Any]) = {
    val tasks = sorted.mapPartitions { rows =>
      // Now that the first row is there, all rows are in memory or in files.
      rows.hasNext
      val spills = Marker.in(directory, "temp_")
      var count = 0
      var hash = 0L
      rows.foreach { row =>
        count += 1
        hash = hash * 31 + row.hashCode()
      }
      Iterator((TaskContext.getPartitionId(), spills, (count, hash)))
    }.collect().sortBy(_._1)
    val found = Marker.Found(tasks.map(_._2.files).sum, tasks.map(_._2.marked).sum)
    (found, tasks.map(_._3).toSeq)
  }
}
