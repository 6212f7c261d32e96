package org.apache.spark.shuffle.hpc.metrics

import java.util.{Map => JMap}

import scala.collection.JavaConverters._

import com.codahale.metrics.{Counter, Metric, MetricSet, Timer}

/** Counts what this process has read by each route, and the outputs that it has written twice or moved. */
private[hpc] final class RouteCounts extends MetricSet {

  /** Time until a request ended: all its blocks were answered, or the route gave up on some. */
  val directRequests, networkRequests = new Timer

  /** Blocks that were read from the shared file system, and blocks that their executors sent. */
  val directBlocks, networkBlocks = new Counter

  val directBytes, networkBytes = new Counter

  /** Reads of containers, without reads of their indexes. */
  val directReads = new Counter

  /** Requests of which the first route couldn't get all blocks. */
  val fallbacks = new Counter

  /** Requests that took another route than their size suggests, because that route had been slow. */
  val switches = new Counter

  /** Outputs that were sorted in one run to a file of their own, and then copied to their container. */
  val copiedOutputs = new Counter

  /** Outputs that a decommissioned executor moved, and the bytes that were copied for it. */
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
