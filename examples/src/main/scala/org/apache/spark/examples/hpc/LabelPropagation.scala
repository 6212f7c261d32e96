package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.graphx.{Edge, Graph, VertexId}
import org.apache.spark.graphx.lib.{LabelPropagation => GraphXLabelPropagation}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** GraphX's label propagation on planted communities, which it must find again. */
object LabelPropagation extends WithoutFiles[LabelPropagationOptions] {
  import builder._

  override protected def label: String = "labelpropagation"
  override protected def defaults: LabelPropagationOptions = LabelPropagationOptions()

  override private[hpc] def work(
      spark: SparkSession,
      o: LabelPropagationOptions,
      phases: Phases
  ): Outcome = {
    val planted = o.planted
    val level = StorageLevel.fromString(o.storageLevel)
    val edges = spark.sparkContext.range(0, planted.edges, numSlices = o.partitions).map { number =>
      val (source, target) = planted.edge(number)
      Edge(source, target, 1)
    }
    val graph = phases("graph") {
      val graph = Graph.fromEdges(edges, 1, level, level).cache()
      graph.edges.count()
      graph
    }
    val labels = phases("labels") {
      val labels = GraphXLabelPropagation.run(graph, o.iterations).vertices
      labels.count()
      labels
    }
    check(o, labels)
    Outcome.checked(
      "vertices" -> planted.vertices,
      "edges" -> planted.edges,
      "communities" -> o.communities,
      "iterations" -> o.iterations
    )
  }

  private[hpc] def check(o: LabelPropagationOptions, labels: RDD[(VertexId, VertexId)]): Unit = {
    val planted = o.planted
    Answer.equal(
      "vertices and their labels",
      Checksum.of(Iterator.iterate(0L)(_ + 1).takeWhile(_ < planted.vertices)
        .map(vertex => Checksum.hash(vertex, planted.leader(vertex)))),
      Checksum.of(labels.map { case (vertex, found) => Checksum.hash(vertex, found) })
    )
  }

  override protected val syntax: OParser[_, LabelPropagationOptions] = OParser.sequence(
    programName("LabelPropagation"),
    head("GraphX's label propagation on planted communities"),
    count("communities", 1).action((x, o) => o.copy(communities = x)).text("default 1000"),
    count("members", 2).action((x, o) => o.copy(members = x))
      .text("of a community, besides its leader; default 20"),
    count("iterations", 1).action((x, o) => o.copy(iterations = x)).text("default 5"),
    count("partitions", 1).action((x, o) => o.copy(partitions = x)).text("default 16"),
    storageLevel.action((x, o) => o.copy(storageLevel = x))
      .text("of the graph and all its generations; default MEMORY_ONLY"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this")
  )
}

/** How many communities, and how often labels are passed on. */
final case class LabelPropagationOptions(
    communities: Int = 1000,
    members: Int = 20,
    iterations: Int = 5,
    partitions: Int = 16,
    storageLevel: String = "MEMORY_ONLY",
    seed: Long = 1
) {

  def planted: PlantedCommunities = new PlantedCommunities(communities, members, seed)
}
