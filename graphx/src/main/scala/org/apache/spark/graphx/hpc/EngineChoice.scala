package org.apache.spark.graphx.hpc

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc

/** Whether our engine or Spark's own code computes. */
private[hpc] object EngineChoice extends Logging {
  val isOff: String = s"${Hpc.GRAPHX_ENGINE.key} is stock"

  def isOn(context: SparkContext): Boolean = {
    EngineCounts.register()
    context.conf.get(Hpc.GRAPHX_ENGINE) == "auto"
  }

  /** Logs and counts that Spark's code runs. */
  def declined(name: String, reason: String): Null = {
    EngineCounts.declines.inc()
    logInfo(s"$name runs in Spark's own GraphX: $reason")
    null
  }
}
