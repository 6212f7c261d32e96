package org.apache.spark.hpc.profile

import org.apache.spark.annotation.DeveloperApi
import org.apache.spark.scheduler.SparkListenerEvent

/** What an executor has counted since it started. Listeners get it, and the event log keeps it.
  *
  * @param time milliseconds since the epoch
  * @param figures counts, bytes and milliseconds by the names that they have in Spark's metrics system, without the
  *   namespace and the source, and those of [[ProcessFigures]] and [[LustreFigures]]. Those of cached blocks by RDD,
  *   `rdd.ID.written`, `rdd.ID.readBack` (bytes) and `rdd.ID.again` (blocks computed again), are counted since the last
  *   event. Figures that are 0 are left out
  */
@DeveloperApi
case class ExecutorFigures(
    time: Long,
    executorId: String,
    host: String,
    figures: Map[String, Double]
) extends SparkListenerEvent
