package org.sparkhpc.apps

import scala.util.{Failure, Success, Try}

import org.apache.spark.{SparkConf, SparkContext}

/** Shuffles, changes a byte of each file of map outputs, and reads them again: `DamagedOnDisk SCRATCH`,
  * where executors have their files. It does so in two applications: one that allows a stage a single
  * attempt, and one that allows it four.
  */
object DamagedOnDisk {

  def main(args: Array[String]): Unit =
    for (attempts <- Seq("1", "4")) {
      val conf = new SparkConf().set("spark.stage.maxConsecutiveAttempts", attempts)
      val sc = new SparkContext(conf)
      val metrics = GroupMetrics.of(sc)
      try {
        Report.storageClasses(sc, 2)
        val sums = sc.range(0, 1000, 1, 2).map(n => (n % 10, n)).reduceByKey(_ + _, 2)
        val before = sums.collect().sorted.toSeq
        Report.line(s"$attempts.damaged", MapOutputFiles.damage(args(0)))
        sc.setJobGroup(attempts, "after the damage")
        Try(sums.collect().sorted.toSeq) match {
          case Success(after) => Report.line(s"$attempts.again", after == before)
          case Failure(failure) =>
            Report.line(s"$attempts.failure", failure.getMessage.replace('\n', ' '))
        }
      } finally sc.stop()
      metrics.report()
    }
}
