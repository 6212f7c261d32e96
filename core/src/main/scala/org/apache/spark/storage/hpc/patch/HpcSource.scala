package org.apache.spark.storage.hpc.patch

import java.util.concurrent.TimeUnit

import com.codahale.metrics.{Gauge, MetricRegistry}

import org.apache.spark.metrics.source.Source
import org.apache.spark.storage.hpc.cache.SpillCounts
import org.apache.spark.storage.memory.hpc.HpcMemoryStore
import org.sparkhpc.file.{FilePool, PoolCounts}
import org.sparkhpc.tier.Tiers

/** Metrics of the patch itself, in the namespace `hpc`.
  *
  * `patchedComponents` counts the replaced objects in this process; a whole patch has
  * [[Patch.components]].size of them. For `retention.*` see [[SpillCounts]];
  * `retention.evictions` is how long evictions held the memory manager's monitor, and
  * `retention.evictionsCpu` how much of that they computed: the rest they waited, for a disk or, where
  * more threads run than there are cores, for a core. For `pool.*` see
  * [[PoolCounts]]. `scratch.N.LABEL.*` is the Nth scratch tier: bytes it may hold and holds, files in
  * it, files that went on in another tier, writes that it refused, and what else [[Tier]] counts; of
  * each kind of operation how often and how long; `scratch.readOfOthers` are blocks that other executors
  * had put into a tier. `shuffle.*` is what a shuffle manager of ours adds.
  */
private[spark] class HpcSource(
    patch: Patch,
    spills: SpillCounts,
    memory: HpcMemoryStore,
    pool: Option[FilePool],
    tiers: Option[Tiers]
) extends Source {
  override val sourceName: String = "hpc"
  override val metricRegistry: MetricRegistry = new MetricRegistry

  register("patchedComponents")(patch.patchedComponents)
  spills.register(metricRegistry)
  metricRegistry.register("retention.evictions", memory.evictions)
  metricRegistry.register("retention.evictionsCpu", memory.evictionsCpu)
  pool.foreach(registerPool)
  for ((tier, i) <- tiers.toSeq.flatMap(_.all).zipWithIndex) {
    val prefix = s"scratch.${i + 1}.${tier.label}"
    register(s"$prefix.capacity")(tier.capacity)
    register(s"$prefix.used")(tier.used)
    register(s"$prefix.files")(tier.files)
    register(s"$prefix.overflows")(tier.overflows)
    register(s"$prefix.failures")(tier.failures)
    register(s"$prefix.recycled")(tier.recycled)
    register(s"$prefix.usedByOthers")(tier.usedByOthers)
    register(s"$prefix.slow")(tier.pace.timesPassedOver)
    register(s"$prefix.proven")(if (tier.isProven) 1 else 0)
    for ((kind, timer) <- tier.operations.all) metricRegistry.register(s"$prefix.$kind", timer)
  }

  private def registerPool(pool: FilePool): Unit =
    Seq[(String, PoolCounts => Any)](
      "hits" -> (_.hits),
      "opens" -> (_.opens),
      "evictions" -> (_.evictions),
      "waits" -> (_.waits),
      "longestWaitMs" -> (counts => TimeUnit.NANOSECONDS.toMillis(counts.longestWaitNanos)),
      "pastBound" -> (_.pastBound),
      "openNow" -> (_.openNow),
      "bound" -> (_.bound)
    ).foreach { case (name, count) => register(s"pool.$name")(count(pool.counts)) }

  private def register[A](name: String)(value: => A): Unit =
    metricRegistry.register(
      name,
      new Gauge[A] {
        override def getValue: A = value
      }
    )
}
