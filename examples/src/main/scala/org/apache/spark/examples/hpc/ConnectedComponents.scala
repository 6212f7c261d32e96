package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** GraphX's connected components of a graph, each named by its least vertex.
  *
  * The number of iterations is the graph's width: a few for R-MAT, many for a grid.
  */
object ConnectedComponents extends Workload[ComponentsOptions] {
  import builder._

  override protected def label: String = "components"
  override protected def defaults: ComponentsOptions = ComponentsOptions()

  override protected def look(o: ComponentsOptions, locations: Locations): Unit =
    o.input.foreach(locations.input("--input", _))

  override private[hpc] def work(
      spark: SparkSession,
      o: ComponentsOptions,
      phases: Phases
  ): Outcome = {
    val sc = spark.sparkContext
    val level = StorageLevel.fromString(o.storageLevel)
    val (graph, edges) = phases("graph") {
      val graph = Graph.fromEdges(o.graph.edges(sc, o.partitions), 1, level, level).cache()
      (graph, graph.edges.count())
    }
    val (found, components) = phases("components") {
      val found = graph.connectedComponents().vertices
      (found, found.filter { case (vertex, component) => vertex == component }.count())
    }
    val small = edges <= o.checkEdges
    if (small) check(sc, o.graph, found)
    Outcome(
      Seq("vertices" -> graph.numVertices, "edges" -> edges, "components" -> components),
      checked = small
    )
  }

  private[hpc] def check(
      sc: SparkContext,
      graph: TestGraph,
      found: RDD[(VertexId, VertexId)]
  ): Unit = {
    val sets = new UnionFind
    graph.onDriver(sc).foreach { case (source, target) => sets.join(source, target) }
    val hash = (vertex: Long, component: Long) => Checksum.hash(vertex, component)
    Answer.equal(
      "vertices and their components",
      Checksum.of(sets.components.map(hash.tupled)),
      Checksum.of(found.map(hash.tupled))
    )
  }

  override protected val syntax: OParser[_, ComponentsOptions] = OParser.sequence(
    programName("ConnectedComponents"),
    head("GraphX's connected components of an R-MAT graph, a grid or an edge list"),
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
