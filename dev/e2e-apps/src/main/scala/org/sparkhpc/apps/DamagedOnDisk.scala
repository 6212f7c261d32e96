package org.sparkhpc.apps

import java.io.RandomAccessFile
import java.nio.file.{Path, Paths}

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
      val outputs = FilesBelow(Paths.get(args(0))).filter(isOutput)
      outputs.foreach(damage)
      Report.line("damaged", outputs.size)
      Try(sums.collect().sorted.toSeq) match {
        case Success(after) => Report.line("again", after == before)
        case Failure(failure) => Report.line("failure", failure.getMessage.replace('\n', ' '))
      }
    } finally sc.stop()
  }

  private def isOutput(file: Path): Boolean = {
    val name = file.getFileName.toString
    name.endsWith(".data") || name.endsWith(".container")
  }

  /** In the last block, which the other bytes say the length of. */
  private def damage(path: Path): Unit = {
    val file = new RandomAccessFile(path.toFile, "rw")
    try {
      val at = file.length - 6
      file.seek(at)
      val byte = file.read()
      file.seek(at)
      file.write(~byte)
    } finally file.close()
  }
}
