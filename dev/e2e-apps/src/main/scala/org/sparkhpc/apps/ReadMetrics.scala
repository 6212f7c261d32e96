package org.sparkhpc.apps

import org.apache.spark.SparkContext

/** Two map stages and the tasks that join their outputs: `ReadMetrics SLICES`, of each stage. */
object ReadMetrics {

  def main(args: Array[String]): Unit = {
    val slices = args(0).toInt
    val sc = SparkContext.getOrCreate()
    val metrics = GroupMetrics.of(sc)
    try {
      Report.storageClasses(sc, 2)
      sc.setJobGroup("joined", "joined")
      val numbers = sc.parallelize(0 to 10000, slices)
      val doubles = numbers.map(n => n -> n * 2)
      val counts = numbers.map(n => n -> (0 to (n % 5)))
      val joined = doubles.cogroup(counts, slices).map { case (key, (one, other)) =>
        (key, one.sum + other.map(_.size).sum)
      }
      Report.line("joined.rows", joined.collect().sorted.mkString(" ").hashCode)
    } finally sc.stop()
    metrics.report()
  }
}
