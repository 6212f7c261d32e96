package org.apache.spark.graphx.hpc

import scala.reflect.ClassTag

import org.apache.spark.{SparkContext, SparkException}
import org.apache.spark.graphx.Graph
import org.apache.spark.graphx.impl.GraphImpl
import org.apache.spark.internal.Logging
import org.apache.spark.internal.config.Hpc

/** The algorithms of one graph as iterated sparse products. */
private[hpc] final class Engine[VD, ED](
    name: String,
    graph: GraphImpl[VD, ED],
    groups: VertexGroups
) {

  /** @param isPersonal  whether the ranks' sum is to be 1, not the number of vertices
    * @param normalized  whether the ranks are scaled to that sum, which they miss if vertices without out-edges lose some
    */
  def pageRank(iterations: Int, step: Step, isPersonal: Boolean, normalized: Boolean)(
      implicit
      vertexTag: ClassTag[VD],
      edgeTag: ClassTag[ED]
  ): Graph[Double, Double] = {
    val blocks = SparseBlocks.of(graph, groups)
    try {
      val (ranks, totals) = new PowerIteration(name, blocks, step).run(iterations)
      try {
        val wanted = if (isPersonal) 1.0 else totals.rows.toDouble
        val factor = if (normalized) wanted / totals.sum else 1.0
        RankedGraph.of(graph, groups, blocks, ranks, factor)
      } finally ranks.unpersist()
    } finally blocks.unpersist()
  }
}

private[hpc] object Engine extends Logging {

  /** So many edges of a block take 256 MiB in an executor's memory. */
  private val EdgesPerBlock = 1L << 26

  /** Computes with the engine; returns null if it declines, after it has logged and counted that. */
  def run[VD, ED, R >: Null](
      name: String,
      graph: Graph[VD, ED]
  )(compute: Engine[VD, ED] => R): R = {
    EngineCounts.register()
    graph match {
      case ours: GraphImpl[VD, ED] if isOn(ours) && ours.vertices.partitions.nonEmpty =>
        val context = ours.vertices.context
        val description = context.getLocalProperty(SparkContext.SPARK_JOB_DESCRIPTION)
        try {
          context.setJobDescription(s"$name: compressed rows")
          val result = compute(new Engine(name, ours, groups(ours)))
          EngineCounts.runs.inc()
          result
        } catch {
          case failure: SparkException if reason(failure).nonEmpty =>
            declined(name, reason(failure).get)
        } finally context.setJobDescription(description)
      case ours: GraphImpl[VD, ED] if isOn(ours) => declined(name, "the graph has no partitions")
      case _: GraphImpl[VD, ED] => declined(name, s"${Hpc.GRAPHX_ENGINE.key} is stock")
      case other => declined(name, s"${other.getClass.getName} isn't GraphX's own kind of graph")
    }
  }

  private def isOn(graph: Graph[_, _]): Boolean =
    graph.vertices.context.conf.get(Hpc.GRAPHX_ENGINE) == "auto"

  /** As many blocks as there are cores to work on them, and more if they would be large. */
  private def groups[VD, ED](graph: GraphImpl[VD, ED]): VertexGroups = {
    val partitioner = graph.vertices.partitionsRDD.partitioner.get
    val edges = graph.edges.count()
    val wanted =
      math.max(graph.vertices.context.defaultParallelism.toLong, edges / EdgesPerBlock + 1)
    new VertexGroups(partitioner, math.min(wanted, partitioner.numPartitions.toLong).toInt)
  }

  private def declined(name: String, reason: String): Null = {
    EngineCounts.declines.inc()
    logInfo(s"$name runs in Spark's own GraphX: $reason")
    null
  }

  /** Why the engine cannot compute this graph, if that is what made a job fail. */
  private def reason(failure: Throwable): Option[String] =
    Option(failure.getMessage).flatMap(_.linesIterator.collectFirst {
      case line if line.contains(EdgeWithoutVertex.Start) =>
        line.substring(line.indexOf(EdgeWithoutVertex.Start))
      case line if line.contains("ArithmeticException: integer overflow") =>
        "a block of it has more than 2,147,483,647 edges"
    })
}
