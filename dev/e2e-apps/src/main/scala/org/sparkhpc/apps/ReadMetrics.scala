package org.sparkhpc.apps

import org.apache.spark.SparkContext

/** Two map stages and the tasks that join their outputs. */
private[apps] object ReadMetrics {

  /** @param slices of each stage */
  def run(sc: SparkContext, slices: Int): Unit = {
    sc.setJobGroup("joined", "joined")
    val numbers = sc.parallelize(0 to 10000, slices)
    val doubles = numbers.map(n => n -> n * 2)
    val counts = numbers.map(n => n -> (0 to (n % 5)))
    val joined = doubles.cogroup(counts, slices).map { case (key, (one, other)) =>
      (key, one.sum + other.map(_.size).sum)
    }
    Report.line("joined.rows", joined.collect().sorted.mkString(" ").hashCode)
    sc.clearJobGroup()
  }
}
