package org.sparkhpc.apps

import org.apache.spark.SparkContext

/** Groups 40,000 keys in two tasks, and goes on for some seconds, so that metrics are written of what these did. */
object SpillingGroups {

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    try {
      val groups = sc.range(0, 40000, 1, 4).map(n => (n, n)).groupByKey(2)
      // In one job: each would spill again.
      val right = groups.map { case (key, values) => if (values.toSeq == Seq(key)) 1L else -1L }
      Report.line("right", right.reduce(_ + _))
      Report.storageClasses(sc, 2)
      Thread.sleep(3000)
    } finally sc.stop()
  }
}
