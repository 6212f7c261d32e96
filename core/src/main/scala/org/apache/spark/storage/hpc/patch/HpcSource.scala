package org.apache.spark.storage.hpc.patch

import java.util.concurrent.TimeUnit

import com.codahale.metrics.{Gauge, MetricRegistry, MetricSet}

import org.apache.spark.metrics.source.Source
import org.apache.spark.storage.hpc.cache.SpillingCache
import org.apache.spark.storage.memory.hpc.HpcMemoryStore
import org.sparkhpc.file.{FilePool, PoolCounts, SharedFileCounts}
import org.sparkhpc.hadoop.ProcessFiles
import org.sparkhpc.tier.Tiers

/** The metrics of Spark-HPC, in the namespace `hpc`:
  *
  *  - `patchedComponents`: the replaced objects in this process; a whole patch has [[Patch.components]].size of them.
  *  - `retention.*`: see `SpillCounts`. `retention.evictions` is how long evictions held the memory manager's monitor,
  *    and `retention.evictionsCpu` their CPU time in it. The rest of the time they waited for a disk or, if more
  *    threads run than there are cores, for a core.
  *  - `pool.*`: see [[PoolCounts]].
  *  - `files.*`: applications' files, see [[SharedFileCounts]].
  *  - `scratch.N.LABEL.*`: the Nth scratch tier: its capacity and its used bytes, its files, the files that continued
  *    in another tier, the writes that it refused, the other counts of [[Tier]], and number and duration of each kind
  *    of operation.
  *  - `scratch.readOfOthers`: the blocks that were read from a tier where another executor had put them.
  *  - `shuffle.*`: the metrics of Spark-HPC's shuffle manager.
  */
private[spark] class HpcSource(
    patch: Patch,
    cache: SpillingCache,
    memory: HpcMemoryStore,
    pool: Option[FilePool],
    tiers: Option[Tiers],
    shuffle: Option[MetricSet]
) extends Source {
  override val sourceName: String = "hpc"
  override val metricRegistry: MetricRegistry = new MetricRegistry

  register("patchedComponents")(patch.patchedComponents)
  cache.counts.register(metricRegistry)
  metricRegistry.register("scratch.readOfOthers", cache.readOfOthers)
  shuffle.foreach(metricRegistry.register("shuffle", _))
  metricRegistry.register("retention.evictions", memory.evictions)
  metricRegistry.register("retention.evictionsCpu", memory.evictionsCpu)
  pool.foreach(registerPool)
  registerFiles()
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

  private def registerFiles(): Unit =
    Seq[(String, SharedFileCounts => Any)](
      "hits" -> (_.hits),
      "opens" -> (_.opens),
      "evictions" -> (_.evictions),
      "openNow" -> (_.openNow),
      "bound" -> (_.bound)
    ).foreach { case (name, count) => register(s"files.$name")(count(ProcessFiles.counts)) }

  private def register[A](name: String)(value: => A): Unit =
    metricRegistry.register(
      name,
      new Gauge[A] {
        override def getValue: A = value
      }
    )
}
