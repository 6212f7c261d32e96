package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** A workload that finds a number for each vertex of a [[TestGraph]], and compares all of them with
  * those that the driver finds from the same edges alone.
  */
trait VertexWorkload extends Workload[GraphOptions] {
  import builder._

  protected def about: String

  /** What is found, in the plural, as a figure and in messages. */
  protected def found: String

  protected def onSpark(graph: Graph[Int, Int]): RDD[(VertexId, Long)]

  /** Of the same vertices, in any order. */
  protected def onDriver(edges: Iterator[(Long, Long)]): Iterator[(Long, Long)]

  /** The number that stands in the last line, of what `onSpark` found. */
  protected def figure(numbers: RDD[(VertexId, Long)]): Long

  override protected def defaults: GraphOptions = GraphOptions()

  override protected def look(o: GraphOptions, locations: Locations): Unit =
    o.input.foreach(locations.input("--input", _))

  override private[hpc] def work(spark: SparkSession, o: GraphOptions, phases: Phases): Outcome = {
    val sc = spark.sparkContext
    val level = StorageLevel.fromString(o.storageLevel)
    val (graph, edgeCount) = phases("graph") {
      val graph = Graph.fromEdges(o.graph.edges(sc, o.partitions), 1, level, level).cache()
      (graph, graph.edges.count())
    }
    val (numbers, counted) = phases(found) {
      val numbers = onSpark(graph)
      (numbers, figure(numbers))
    }
    val small = edgeCount <= o.checkEdges
    if (small) check(sc, o.graph, numbers)
    Outcome(
      Seq("vertices" -> graph.numVertices, "edges" -> edgeCount, found -> counted),
      checked = small
    )
  }

  private[hpc] def check(
      sc: SparkContext,
      graph: TestGraph,
      numbers: RDD[(VertexId, Long)]
  ): Unit = {
    val hash = (vertex: Long, number: Long) => Checksum.hash(vertex, number)
    Answer.equal(
      s"vertices and their $found",
      Checksum.of(onDriver(graph.onDriver(sc)).map(hash.tupled)),
      Checksum.of(numbers.map(hash.tupled))
    )
  }

  override protected val syntax: OParser[_, GraphOptions] = OParser.sequence(
    programName(name),
    head(s"$about of an R-MAT graph, a grid or an edge list"),
    count("scale", 1, RmatGenerator.MaxScale).action((x, o) => o.copy(scale = Some(x)))
      .text("an R-MAT graph with 2^N vertices"),
    count("edge-factor", 1, 1 << 16).action((x, o) => o.copy(edgeFactor = x))
      .text("of the R-MAT graph; default 16"),
    count("grid", 2).action((x, o) => o.copy(grid = Some(x))).text("a grid of N x N vertices"),
    path("input").action((x, o) => o.copy(input = Some(x))).text("an edge list in SNAP format"),
    count("partitions", 0).action((x, o) => o.copy(partitions = x))
      .text("default 0: those of the input, at least the default parallelism"),
    storageLevel.action((x, o) => o.copy(storageLevel = x)).text("default MEMORY_ONLY"),
    amount("check-edges", 0).action((x, o) => o.copy(checkEdges = x))
      .text("check graphs of at most so many edges; default 20000000"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this"),
    checkConfig { o =>
      if (Seq(o.scale, o.grid, o.input).count(_.isDefined) == 1) success
      else failure("--scale, --grid, --input: give one of them")
    }
  )
}
