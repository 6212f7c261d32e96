package org.apache.spark.storage

import com.codahale.metrics.{Gauge, MetricRegistry, Timer}

import org.apache.spark.metrics.source.Source

/** Metrics of the patch itself, in the namespace `hpc`.
  *
  * `patchedComponents` counts the replaced objects in this process; a whole patch has
  * [[Patch.components]].size of them. For `retention.*` see [[SpillCounts]];
  * `retention.evictions` is how long evictions held the memory manager's monitor.
  */
private[spark] class HpcSource(patch: Patch, spills: SpillCounts, evictions: Timer)
    extends Source {
  override val sourceName: String = "hpc"
  override val metricRegistry: MetricRegistry = new MetricRegistry

  metricRegistry.register(
    MetricRegistry.name("patchedComponents"),
    new Gauge[Int] {
      override def getValue: Int = patch.patchedComponents
    }
  )
  spills.register(metricRegistry)
  metricRegistry.register("retention.evictions", evictions)
}
