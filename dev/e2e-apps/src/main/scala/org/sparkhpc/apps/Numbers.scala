package org.sparkhpc.apps

import org.apache.spark.SparkContext

/** A sum by key whose answer a reader can check, on so many executors: `Numbers EXECUTORS`.
  *
  * With a second argument it fails after that, by its exit code.
  */
object Numbers {

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    val sums =
      try {
        val sums = sc.range(0, 3000, 1, 6).map(n => (n % 3, n)).reduceByKey(_ + _).collect().sorted
        Report.line("sums", sums.mkString(" "))
        Report.storageClasses(sc, args(0).toInt)
        sums
      } finally sc.stop()
    if (args.length > 1) sys.exit(sums.length)
  }
}
