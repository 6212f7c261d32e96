package org.apache.spark.shuffle.hpc.metrics

import java.util.{Map => JMap}

import scala.collection.JavaConverters._

import com.codahale.metrics.{Counter, Metric, MetricSet, Timer}

/** What this process has read by which route, and written twice. */
private[hpc] final class RouteCounts extends MetricSet {

  /** How long it took until all of a request was answered, or was known to be had otherwise. */
  val directRequests, networkRequests = new Timer

  /** Blocks read from the shared file system, and sent by the executors that wrote them. */
  val directBlocks, networkBlocks = new Counter

  val directBytes, networkBytes = new Counter

  /** Reads of containers, without those of their indexes. */
  val directReads = new Counter

  /** Requests of which a part came, or should have come, by the other route than the first. */
  val fallbacks = new Counter

  /** Requests that took another route than by their size, since that had been slow. */
  val switches = new Counter

  /** Outputs that were sorted in one run, to a file that was then copied to its container. */
  val copiedOutputs = new Counter

  /** Outputs that were moved to where they outlive this executor, and the bytes copied for it. */
  val evacuatedOutputs, evacuatedBytes = new Counter

  override def getMetrics: JMap[String, Metric] = Map[String, Metric](
    "direct.blocks" -> directBlocks,
    "direct.bytes" -> directBytes,
    "direct.reads" -> directReads,
    "direct.requests" -> directRequests,
    "network.blocks" -> networkBlocks,
    "network.bytes" -> networkBytes,
    "network.requests" -> networkRequests,
    "fallbacks" -> fallbacks,
    "switches" -> switches,
    "copied.outputs" -> copiedOutputs,
    "evacuated.outputs" -> evacuatedOutputs,
    "evacuated.bytes" -> evacuatedBytes
  ).asJava
}
