package org.sparkhpc.apps

import scala.util.{Failure, Success, Try}

import org.apache.spark.SparkContext

/** Shuffles, changes a byte of each file of map outputs, and reads them again: `DamagedOnDisk SCRATCH`,
  * where executors have their files.
  */
object DamagedOnDisk {

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    try {
      Report.storageClasses(sc, 2)
      val sums = sc.range(0, 1000, 1, 2).map(n => (n % 10, n)).reduceByKey(_ + _, 2)
      val before = sums.collect().sorted.toSeq
      Report.line("damaged", MapOutputFiles.damage(args(0)))
      Try(sums.collect().sorted.toSeq) match {
        case Success(after) => Report.line("again", after == before)
        case Failure(failure) => Report.line("failure", failure.getMessage.replace('\n', ' '))
      }
    } finally sc.stop()
  }
}
