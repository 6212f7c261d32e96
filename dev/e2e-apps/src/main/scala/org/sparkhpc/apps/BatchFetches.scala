package org.sparkhpc.apps

import org.apache.spark.sql.SparkSession

/** A query whose adaptive plan reads several of the original reducers' blocks in one task, with them
  * fetched in batches and one by one: `BatchFetches MAPS REDUCERS`.
  */
object BatchFetches {
  private val InBatch = "spark.sql.adaptive.fetchShuffleBlocksInBatch"

  def main(args: Array[String]): Unit = {
    val Array(maps, reducers) = args.map(_.toInt)
    val spark = SparkSession.builder().getOrCreate()
    val metrics = GroupMetrics.of(spark.sparkContext)
    try {
      Report.storageClasses(spark.sparkContext, 2)
      run(spark, maps, reducers)
    } finally spark.stop()
    metrics.report()
  }

  private[apps] def run(spark: SparkSession, maps: Int, reducers: Int): Unit = {
    spark.conf.set("spark.sql.shuffle.partitions", reducers.toLong)
    for (batch <- Seq(true, false)) {
      val name = if (batch) "batch" else "single"
      spark.sparkContext.setJobGroup(name, name)
      spark.conf.set(InBatch, batch)
      val query = spark.range(0, 10000, 1, maps).selectExpr("id % 1000 as key", "id")
        .groupBy("key").sum("id")
      val rows = query.collect().map(_.toString).sorted
      Report.line(s"$name.rows", rows.mkString(" ").hashCode)
      Report.line(s"$name.size", rows.length)
    }
    spark.conf.unset(InBatch)
  }
}
