package org.apache.spark.graphx.hpc

import com.codahale.metrics.{Counter, MetricRegistry}

import org.apache.spark.SparkEnv
import org.apache.spark.metrics.source.Source

/** The driver's metrics `hpc.graphx.runs` and `hpc.graphx.declines`: how often an algorithm or a loader of GraphX ran in
  * our engine, and how often in Spark's own code.
  */
private[hpc] object EngineCounts extends Source {
  override val sourceName: String = "hpc.graphx"
  override val metricRegistry: MetricRegistry = new MetricRegistry

  val runs: Counter = metricRegistry.counter("runs")
  val declines: Counter = metricRegistry.counter("declines")

  /** In the metrics system of the present application. */
  def register(): Unit = {
    val system = SparkEnv.get.metricsSystem
    if (system.getSourcesByName(sourceName).isEmpty) system.registerSource(this)
  }
}
