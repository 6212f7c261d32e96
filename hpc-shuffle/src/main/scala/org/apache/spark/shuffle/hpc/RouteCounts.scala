package org.apache.spark.shuffle.hpc

import java.util.{Map => JMap}

import scala.collection.JavaConverters._

import com.codahale.metrics.{Counter, Metric, MetricSet}

/** What this process has read by which route, and written twice; in the metrics below `hpc.shuffle`. */
private[hpc] final class RouteCounts extends MetricSet {

  /** Blocks read from the shared file system, and sent by the executors that wrote them. */
  val directBlocks, networkBlocks = new Counter

  val directBytes, networkBytes = new Counter

  /** Reads of containers, without those of their indexes. */
  val directReads = new Counter

  /** Requests of which a part came, or should have come, by the other route than the first. */
  val fallbacks = new Counter

  /** Outputs that were sorted in one run, to a file that was then copied to its container. */
  val copiedOutputs = new Counter

  override def getMetrics: JMap[String, Metric] = Map[String, Metric](
    "direct.blocks" -> directBlocks,
    "direct.bytes" -> directBytes,
    "direct.reads" -> directReads,
    "network.blocks" -> networkBlocks,
    "network.bytes" -> networkBytes,
    "fallbacks" -> fallbacks,
    "copied.outputs" -> copiedOutputs
  ).asJava
}
