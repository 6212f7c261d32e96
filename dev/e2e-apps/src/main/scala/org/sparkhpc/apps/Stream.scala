package org.sparkhpc.apps

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions._
import org.apache.spark.sql.streaming.{StreamingQuery, Trigger}

/** Counts by key and hour what comes as files, to files, as event time passes:
  * `Stream INPUT OUTPUT CHECKPOINT forever|rest`, either in small batches until it is killed, or
  * all that is left.
  */
object Stream {

  def main(args: Array[String]): Unit = {
    val Array(input, output, checkpoint, mode) = args
    val forever = mode == "forever"
    val spark = SparkSession.builder().getOrCreate()
    import spark.implicits._
    val counts = spark.readStream.schema("time timestamp, key string, n long")
      .option("maxFilesPerTrigger", 1).json(input)
      .withWatermark("time", "1 minute")
      .groupBy(window($"time", "1 hour"), $"key")
      .agg(count(lit(1)).as("rows"), sum($"n").as("sum"))
      .select($"window.start".as("hour"), $"key", $"rows", $"sum")
    val query = counts.writeStream.format("parquet").outputMode("append")
      .option("path", output).option("checkpointLocation", checkpoint)
      .trigger(if (forever) Trigger.ProcessingTime(0) else Trigger.AvailableNow())
      .start()
    query.awaitTermination()
    show(spark, query, output)
  }

  private def show(spark: SparkSession, query: StreamingQuery, output: String): Unit = {
    import spark.implicits._
    Report.line("batches", query.recentProgress.map(_.batchId).mkString(" "))
    val rows = spark.read.parquet(output)
      .select(date_format($"hour", "HH"), $"key", $"rows", $"sum")
      .as[(String, String, Long, Long)].collect().sorted
    Report.line("counts", rows.mkString(" "))
    Report.storageClasses(spark.sparkContext, 2)
    spark.stop()
  }
}
