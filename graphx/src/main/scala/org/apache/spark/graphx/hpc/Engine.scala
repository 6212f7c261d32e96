package org.apache.spark.graphx.hpc

import scala.reflect.ClassTag

import org.apache.spark.{SparkContext, SparkException}
import org.apache.spark.graphx.{EdgeDirection, EdgeRDD, Graph, VertexId}
import org.apache.spark.graphx.EdgeDirection.{Either, In, Out}
import org.apache.spark.graphx.impl.GraphImpl
import org.apache.spark.ml.linalg.{Vector, Vectors}
import org.apache.spark.rdd.RDD

/** Algorithms of one graph as iterated sparse products. */
private[hpc] final class Engine[VD, ED](
    name: String,
    private val graph: GraphImpl[VD, ED],
    private val groups: VertexGroups
) {
  import Engine._

  private def blocks(direction: EdgeDirection): RDD[SparseBlock] =
    SparseBlocks.of(graph, groups, direction)

  def fixed(iterations: Int, step: RankStep, scale: Scale)(implicit
      vertexTag: ClassTag[VD],
      edgeTag: ClassTag[ED]
  ): Graph[Double, Double] =
    iterated(blocks(Out), step, iterations)(_.map(step.initial), scale.attribute)(
      RankedGraph.edges(graph)
    )

  def untilConvergence(step: GrowthStep, scale: Scale)(implicit
      vertexTag: ClassTag[VD],
      edgeTag: ClassTag[ED]
  ): Graph[Double, Double] =
    iterated(blocks(Out), step, Int.MaxValue)(_.map(step.initial), scale.attribute)(
      RankedGraph.edges(graph)
    )

  /** Several personalised ranks at once. */
  def parallel(iterations: Int, step: RankStep)(implicit
      vertexTag: ClassTag[VD],
      edgeTag: ClassTag[ED]
  ): Graph[Vector, Double] =
    iterated(blocks(Out), step, iterations)(_.map(step.initial), vectors)(
      RankedGraph.edges(graph)
    )

  /** The least vertex id of each vertex's component. */
  def components(iterations: Int)(implicit edgeTag: ClassTag[ED]): Graph[VertexId, ED] =
    iterated(blocks(Either), new LeastStep(1, 0), iterations)(
      _.map(block => LeastStep.initial(block.vertices.map(exact))),
      _ => (state, row) => state(row).toLong
    )(graph.edges)

  /** The number of edges on the shortest path from each vertex to each of the landmarks that it reaches. */
  def distances(landmarks: Array[VertexId])(implicit
      edgeTag: ClassTag[ED]
  ): Graph[Map[VertexId, Int], ED] = {
    val width = landmarks.length
    iterated(blocks(In), new LeastStep(width, 1), Int.MaxValue)(
      _.map(block => LeastStep.initial(here(block, landmarks))),
      _ =>
        (state, row) =>
          reached(landmarks, java.util.Arrays.copyOfRange(state, row * width, (row + 1) * width))
    )(graph.edges)
  }

  private def iterated[A: ClassTag, E: ClassTag](
      blocks: RDD[SparseBlock],
      step: Step,
      iterations: Int
  )(
      initial: RDD[SparseBlock] => RDD[Array[Double]],
      attribute: Totals => Attribute[A]
  )(edges: => EdgeRDD[E]): Graph[A, E] =
    try {
      val (states, totals) = new PowerIteration(name, blocks, initial(blocks), step).run(iterations)
      try
        GraphImpl(
          RankedGraph.vertices(graph, groups, blocks, states)(attribute(totals)),
          edges
        )
      finally states.unpersist()
    } finally blocks.unpersist()
}

private[hpc] object Engine {
  import EngineChoice.declined

  /** So many edges of a block take 64 MiB in an executor's memory, some 600 MiB while the block is made, and so many
    * ranks 128 MiB.
    */
  private val EdgesPerBlock, RanksPerBlock = 1L << 24

  /** The largest whole number up to which a double has all. */
  private val MostExact = 1L << 53

  /** A vertex's attribute in the result, of its block's state and its row. */
  type Attribute[A] = (Array[Double], Int) => A

  /** What the ranks' sum is to be: 1 for personalised ranks, the number of vertices for others, or what it is. Vertices
    * without out-edges make it less.
    */
  final case class Scale(isPersonal: Boolean, isNormalized: Boolean) {
    def attribute(totals: Totals): Attribute[Double] = {
      val wanted = if (isPersonal) 1.0 else totals.rows.toDouble
      val factor = if (isNormalized) wanted / totals.sums.head else 1.0
      (state, row) => state(row) * factor
    }
  }

  /** The ranks of a row, each normalised. As in GraphX, it is a sparse vector with all of its elements, and a rank whose
    * sum is 0 isn't a number anywhere.
    */
  private def vectors(totals: Totals): Attribute[Vector] = {
    val sums = totals.sums.toArray
    val all = sums.indices.toArray
    (state, row) =>
      Vectors.sparse(sums.length, all, all.map(i => state(row * sums.length + i) / sums(i)))
  }

  /** The id as a number that adds and compares as the id does. */
  private def exact(id: VertexId): Double =
    if (math.abs(id) <= MostExact && id != Long.MinValue) id.toDouble else throw Unsuitable.id(id)

  /** Distances before the first iteration: 0 from a landmark to itself. */
  private def here(block: SparseBlock, landmarks: Array[VertexId]): Array[Double] = {
    val distances =
      Array.fill(Math.multiplyExact(block.size, landmarks.length))(Double.PositiveInfinity)
    for ((landmark, i) <- landmarks.zipWithIndex; row <- block.rowOf(landmark))
      distances(row * landmarks.length + i) = 0.0
    distances
  }

  private def reached(landmarks: Array[VertexId], distances: Array[Double]): Map[VertexId, Int] =
    landmarks.zip(distances).collect {
      case (landmark, distance) if !distance.isInfinite => landmark -> distance.toInt
    }.toMap

  /** Goes on from a graph's attributes: a rank at each vertex, a weight at each edge. */
  def further(
      engine: Engine[Double, Double],
      iterations: Int,
      step: RankStep,
      scale: Scale
  ): Graph[Double, Double] = {
    import engine._
    iterated(SparseBlocks.weighted(graph, groups), step, iterations)(
      RankedGraph.rows(graph, groups, _),
      scale.attribute
    )(graph.edges)
  }

  /** Computes with the engine; returns null if it declines, after it has logged and counted that.
    *
    * @param width the number of ranks of a vertex
    */
  def run[VD, ED, A, E](name: String, graph: Graph[VD, ED], width: Int)(
      compute: Engine[VD, ED] => Graph[A, E]
  ): Graph[A, E] = {
    val isOn = EngineChoice.isOn(graph.vertices.context)
    graph match {
      case ours: GraphImpl[VD, ED] if isOn && ours.vertices.partitions.nonEmpty =>
        val context = ours.vertices.context
        val description = context.getLocalProperty(SparkContext.SPARK_JOB_DESCRIPTION)
        try {
          context.setJobDescription(s"$name: compressed rows")
          val result = compute(new Engine(name, ours, grouped(ours, width)))
          EngineCounts.runs.inc()
          result
        } catch {
          case failure: SparkException if Unsuitable.reason(failure).nonEmpty =>
            declined(name, Unsuitable.reason(failure).get)
        } finally context.setJobDescription(description)
      case _ if !isOn => declined(name, EngineChoice.isOff)
      case _: GraphImpl[VD, ED] => declined(name, "the graph has no partitions")
      case other => declined(name, s"${other.getClass.getName} isn't GraphX's own kind of graph")
    }
  }

  /** As many blocks as there are cores to work on them, and more if they would be large. */
  private def grouped(graph: GraphImpl[_, _], width: Int): VertexGroups = {
    val partitioner = graph.vertices.partitionsRDD.partitioner.get
    val cores = graph.vertices.context.defaultParallelism
    val blocks =
      if (partitioner.numPartitions <= cores) partitioner.numPartitions
      else {
        val edges = graph.edges.count() / EdgesPerBlock + 1
        val ranks = graph.vertices.count() * width / RanksPerBlock + 1
        Seq(cores.toLong, edges, ranks).max.min(partitioner.numPartitions.toLong).toInt
      }
    new VertexGroups(partitioner, blocks)
  }
}
