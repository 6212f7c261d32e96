package org.apache.spark.storage

import com.codahale.metrics.{Gauge, MetricRegistry, Timer}

import org.apache.spark.hpc.tier.Tiers
import org.apache.spark.metrics.source.Source

/** Metrics of the patch itself, in the namespace `hpc`.
  *
  * `patchedComponents` counts the replaced objects in this process; a whole patch has
  * [[Patch.components]].size of them. For `retention.*` see [[SpillCounts]];
  * `retention.evictions` is how long evictions held the memory manager's monitor. `scratch.N.LABEL.*`
  * is the Nth scratch tier: bytes it may hold and holds, files in it, files that went on in another
  * tier, writes that it refused.
  */
private[spark] class HpcSource(
    patch: Patch,
    spills: SpillCounts,
    evictions: Timer,
    tiers: Option[Tiers]
) extends Source {
  override val sourceName: String = "hpc"
  override val metricRegistry: MetricRegistry = new MetricRegistry

  private def gauge[A](name: String)(value: => A): Unit =
    metricRegistry.register(name, new Gauge[A] { override def getValue: A = value }): Unit

  gauge("patchedComponents")(patch.patchedComponents)
  spills.register(metricRegistry)
  metricRegistry.register("retention.evictions", evictions)
  for ((tier, i) <- tiers.toSeq.flatMap(_.all).zipWithIndex) {
    val prefix = s"scratch.${i + 1}.${tier.label}"
    gauge(s"$prefix.capacity")(tier.capacity)
    gauge(s"$prefix.used")(tier.used)
    gauge(s"$prefix.files")(tier.files)
    gauge(s"$prefix.overflows")(tier.overflows)
    gauge(s"$prefix.failures")(tier.failures)
  }
}
