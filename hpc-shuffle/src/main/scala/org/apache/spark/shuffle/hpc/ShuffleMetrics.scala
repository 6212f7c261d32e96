package org.apache.spark.shuffle.hpc

import java.util.{HashMap => JHashMap, Map => JMap}

import com.codahale.metrics.{Gauge, Metric, MetricSet}
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OwnContainers
import org.apache.spark.shuffle.hpc.read.{ContainerFiles, HeldBytes}

/** The metrics below `hpc.shuffle`: what this process has in containers and what it has read from them. */
private[hpc] final class ShuffleMetrics(
    counts: RouteCounts,
    own: OwnContainers,
    files: ContainerFiles,
    held: HeldBytes
) extends MetricSet {

  override def getMetrics: JMap[String, Metric] = {
    val all = new JHashMap[String, Metric](counts.getMetrics)
    def gauge(name: String)(value: => Long): Unit = all.put(
      name,
      new Gauge[Long] {
        override def getValue: Long = value
      }
    ): Unit
    gauge("containers")(own.all.size.toLong)
    gauge("containers.live.bytes")(own.all.map(_.liveBytes).sum)
    gauge("containers.dead.bytes")(own.all.map(_.deadBytes).sum)
    gauge("indexes.bytes")(files.indexBytes)
    gauge("held.bytes")(held.now)
    for ((kind, count) <- own.byKind) all.put(s"outputs.$kind", count)
    all.put("moved.outputs", own.moved)
    all
  }
}
