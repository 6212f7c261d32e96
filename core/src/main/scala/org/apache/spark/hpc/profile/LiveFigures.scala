package org.apache.spark.hpc.profile

import org.apache.spark.annotation.DeveloperApi
import org.apache.spark.scheduler.SparkListenerEvent

/** Figures between those that the event log keeps, for listeners that show the present state. The figures of cached blocks
  * by RDD come only with those that are kept.
  */
@DeveloperApi
case class LiveFigures(now: ExecutorFigures) extends SparkListenerEvent {
  protected[spark] override def logEvent: Boolean = false
}
