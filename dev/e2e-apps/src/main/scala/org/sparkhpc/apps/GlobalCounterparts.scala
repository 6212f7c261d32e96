package org.sparkhpc.apps

import org.apache.spark.sql.SparkSession

/** The jobs of [[BatchFetches]], [[ReadMetrics]] and [[Repartitioned]] in one application:
  * `GlobalCounterparts MAPS REDUCERS SLICES OUTPUTS`.
  */
object GlobalCounterparts {

  def main(args: Array[String]): Unit = {
    val Array(maps, reducers, slices) = args.take(3).map(_.toInt)
    val spark = SparkSession.builder().getOrCreate()
    val metrics = GroupMetrics.of(spark.sparkContext)
    try {
      Report.storageClasses(spark.sparkContext, 2)
      BatchFetches.run(spark, maps, reducers)
      ReadMetrics.run(spark.sparkContext, slices)
      // Last, since it damages what the others wrote, too.
      Repartitioned.run(spark, args(3))
    } finally spark.stop()
    metrics.report()
  }
}
