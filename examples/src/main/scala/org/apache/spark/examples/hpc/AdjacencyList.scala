package org.apache.spark.examples.hpc

import java.util.BitSet

import scopt.OParser

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** For each vertex of an R-MAT graph its neighbours by edges from it and to it. */
object AdjacencyList extends WithoutFiles[AdjacencyOptions] {
  import builder._

  /** A neighbour, and whether the edge leads there. */
  private[hpc] type Neighbour = (Long, Boolean)

  override protected def label: String = "adjacencylist"
  override protected def defaults: AdjacencyOptions = AdjacencyOptions()

  override private[hpc] def work(
      spark: SparkSession,
      o: AdjacencyOptions,
      phases: Phases
  ): Outcome = {
    val sc = spark.sparkContext
    val found = phases.mapReduce(Groups.of(lists(sc, o))(hash))
    check(sc, o, found)
    Outcome.checked(
      "maps" -> o.maps,
      "reduces" -> o.reduces,
      "vertices" -> found.groups,
      "edges" -> o.edges
    )
  }

  private[hpc] def lists(
      sc: SparkContext,
      o: AdjacencyOptions
  ): RDD[(Long, Iterable[Neighbour])] = {
    val generator = o.generator
    sc.range(0, o.edges, numSlices = o.maps)
      .flatMap(generator.edge(_) { (source, target) =>
        Seq((source, (target, true)), (target, (source, false)))
      })
      .groupByKey(o.reduces)
      .mapValues(neighbours => neighbours.toArray.sorted.toIterable)
  }

  /** Each edge by itself says in which lists it must be. */
  private[hpc] def check(sc: SparkContext, o: AdjacencyOptions, found: Groups): Unit = {
    val generator = o.generator
    val (vertices, elements) = sc.range(0, o.edges, numSlices = o.maps)
      .mapPartitions { edges =>
        val seen = new BitSet(1 << o.scale)
        val sum = edges.foldLeft(Checksum.Empty) { (sum, number) =>
          generator.edge(number) { (source, target) =>
            seen.set(source.toInt)
            seen.set(target.toInt)
            sum + hash(source, (target, true)) + hash(target, (source, false))
          }
        }
        Iterator.single((seen, sum))
      }
      .reduce { case ((seen, sum), (moreSeen, moreSum)) =>
        seen.or(moreSeen)
        (seen, sum ++ moreSum)
      }
    Answer.equal("lists", Groups(vertices.cardinality.toLong, elements), found)
  }

  private[hpc] def hash(vertex: Long, neighbour: Neighbour): Long =
    Checksum.hash(vertex, neighbour._1, if (neighbour._2) 1L else 0L)

  override protected val syntax: OParser[_, AdjacencyOptions] = OParser.sequence(
    programName("AdjacencyList"),
    head("The neighbours of each vertex of an R-MAT graph"),
    // A bit for each vertex is held by each task that checks.
    count("scale", 1, 30).action((x, o) => o.copy(scale = x)).text("2^N vertices; default 14"),
    count("edge-factor", 1, 1 << 16).action((x, o) => o.copy(edgeFactor = x))
      .text("edges for each vertex; default 16"),
    count("maps", 1).action((x, o) => o.copy(maps = x)).text("default 16"),
    count("reduces", 1).action((x, o) => o.copy(reduces = x)).text("default 16"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this")
  )
}

/** The lists of which graph, and how many tasks make them. */
final case class AdjacencyOptions(
    scale: Int = 14,
    edgeFactor: Int = 16,
    maps: Int = 16,
    reduces: Int = 16,
    seed: Long = 1
) {

  def edges: Long = RmatOptions(scale, edgeFactor).edges
  def generator: RmatGenerator = new RmatGenerator(scale, seed)
}
