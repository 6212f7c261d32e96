package org.apache.spark.sql.hpc.graph

import java.util.{List => JList}

import scala.collection.JavaConverters._

import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.graphx.lib.{PageRank, ShortestPaths}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.DataFrame

/** A graph whose edges are the rows of a table. GraphX computes its algorithms, when they are called, and the results are
  * tables. Python's `spark_hpc.graph` calls them.
  *
  * A row is an edge from the vertex in one column to that in another. Vertices are whole numbers from 0, or strings.
  *
  * @throws IllegalArgumentException if the columns have other types, nulls, or numbers below 0
  */
final class EdgeTable(edges: DataFrame, source: String, destination: String) {
  import edges.sparkSession.implicits._

  import EdgeTable._

  private val names = VertexNames.of(edges.select(edges(source), edges(destination)))

  /** PageRank: `id`, `pagerank`. The ranks' sum is the number of vertices, or 1 if they are personalised.
    *
    * @param from the vertex where personalised ranks begin; null for others
    */
  def pageRank(iterations: Int, reset: Double, from: Any): DataFrame = {
    requireIterations(iterations)
    requireReset(reset)
    ranks(from)(PageRank.runWithOptions(_, iterations, reset, _))
  }

  /** PageRank until no rank changes by more than the tolerance: `id`, `pagerank`. */
  def pageRankUntilConvergence(tolerance: Double, reset: Double, from: Any): DataFrame = {
    require(tolerance > 0, s"tolerance is $tolerance: write a number above 0, such as 0.001")
    requireReset(reset)
    ranks(from)(PageRank.runUntilConvergenceWithOptions(_, tolerance, reset, _))
  }

  private def ranks(from: Any)(
      compute: (Graph[Int, Int], Option[VertexId]) => Graph[Double, Double]
  ): DataFrame = {
    val ranked = computed { graph =>
      compute(graph, Option(from).map(vertices(graph, "source", _).head)).vertices
    }
    names.back(ranked.toDF("id", "pagerank"), "id")
  }

  /** Several personalised PageRanks: `id`, `source`, `pagerank`, a row for each vertex and each source. */
  def personalizedPageRanks(sources: JList[Any], iterations: Int, reset: Double): DataFrame = {
    requireIterations(iterations)
    requireReset(reset)
    val ranked = computed { graph =>
      val ids = vertices(graph, "sources", sources.asScala: _*)
      PageRank.runParallelPersonalizedPageRank(graph, iterations, reset, ids.toArray).vertices
        .flatMap { case (id, ranks) => ids.indices.map(i => (id, ids(i), ranks(i))) }
    }
    names.back(ranked.toDF("id", "source", "pagerank"), "id", "source")
  }

  /** The connected components, whichever way edges lead: `id`, `component`, which is the least vertex there. */
  def connectedComponents(): DataFrame = {
    val found = computed(_.connectedComponents().vertices)
    names.back(found.toDF("id", "component"), "id", "component")
  }

  /** The number of edges on the shortest path from each vertex to each landmark that it reaches: `id`, `landmark`,
    * `distance`.
    */
  def shortestPaths(landmarks: JList[Any]): DataFrame = {
    val found = computed { graph =>
      ShortestPaths.run(graph, vertices(graph, "landmarks", landmarks.asScala: _*)).vertices
        .flatMap { case (id, distances) =>
          distances.map { case (landmark, distance) => (id, landmark, distance) }
        }
    }
    names.back(found.toDF("id", "landmark", "distance"), "id", "landmark")
  }

  private def computed[A](compute: Graph[Int, Int] => RDD[A]): RDD[A] = {
    val graph = RowsAsGraph(names.edges)
    try compute(graph)
    finally graph.unpersist()
  }

  private def vertices(
      graph: Graph[Int, Int],
      parameter: String,
      wanted: Any*
  ): Seq[VertexId] = {
    require(wanted.nonEmpty, s"$parameter is empty: name a vertex at least")
    for (name <- wanted.diff(wanted.distinct))
      throw new IllegalArgumentException(s"$parameter has $name twice: leave one of them out")
    val ids = names.ids(parameter, wanted)
    val there = graph.vertices.keys.filter(ids.values.toSet).collect().toSet
    wanted.map { name =>
      ids.get(name).filter(there).getOrElse(
        throw new IllegalArgumentException(
          s"$parameter: no edge has the vertex $name: name one of columns '$source' and '$destination'"
        )
      )
    }
  }
}

private[hpc] object EdgeTable {

  // Not Predef's, which puts words of its own before the message.
  private def require(holds: Boolean, message: => String): Unit =
    if (!holds) throw new IllegalArgumentException(message)

  private def requireIterations(iterations: Int): Unit =
    require(iterations > 0, s"iterations is $iterations: write a number above 0")

  private def requireReset(reset: Double): Unit =
    require(reset >= 0 && reset <= 1, s"reset is $reset: write a probability, such as 0.15")
}
