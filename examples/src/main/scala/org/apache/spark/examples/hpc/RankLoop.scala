package org.apache.spark.examples.hpc

import scopt.OParser

import org.apache.spark.HashPartitioner
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** PageRank as a loop over plain RDDs, as Spark's own example SparkPageRank: cached links are
  * joined with ranks that come out of a shuffle.
  *
  * Ranks are cached in each iteration and those before are given up, or they are never cached and
  * all iterations are one job. A vertex that no edge leads to has no rank after the first step.
  */
object RankLoop extends WithoutFiles[RankLoopOptions] {
  import builder._

  override protected def label: String = "rankloop"
  override protected def defaults: RankLoopOptions = RankLoopOptions()

  override private[hpc] def work(
      spark: SparkSession,
      o: RankLoopOptions,
      phases: Phases
  ): Outcome = {
    val sc = spark.sparkContext
    val level = StorageLevel.fromString(o.storageLevel)
    val partitioner = new HashPartitioner(o.partitions)
    val links = o.graph.edges(sc, o.partitions)
      .map(edge => (edge.srcId, edge.dstId))
      .groupByKey(partitioner)
      .mapValues(_.toArray)
      .persist(level)
    phases("load")(links.count())
    val ranks = phases("ranks") {
      var ranks = links.mapValues(_ => 1.0)
      for (_ <- 1 to o.iterations) {
        val before = ranks
        ranks = step(links, before)
        if (o.cacheRanks) {
          ranks.persist(level)
          ranks.count()
          before.unpersist()
        }
      }
      ranks.collectAsMap()
    }
    check(o.graph.onDriver(sc), o.iterations, ranks)
    Outcome.checked(
      "edges" -> o.edges,
      "ranked" -> ranks.size,
      "iterations" -> o.iterations,
      "cache-ranks" -> o.cacheRanks
    )
  }

  private def step(
      links: RDD[(Long, Array[Long])],
      ranks: RDD[(Long, Double)]
  ): RDD[(Long, Double)] =
    links.join(ranks).values
      .flatMap { case (targets, rank) => targets.map(target => (target, rank / targets.length)) }
      .reduceByKey(links.partitioner.get, _ + _)
      .mapValues(received => RanksOnDriver.rank(received))

  /** Sums of doubles depend on the order in which blocks arrive, so ranks agree but for that. */
  private[hpc] def check(
      edges: Iterator[(Long, Long)],
      iterations: Int,
      found: collection.Map[Long, Double]
  ): Unit = {
    val expected = RanksOnDriver(edges, iterations)
    Answer.equal(
      "ranked vertices",
      Checksum.of(expected.keysIterator),
      Checksum.of(found.keysIterator)
    )
    val errors = expected.iterator.map { case (vertex, rank) => math.abs(found(vertex) / rank - 1) }
    // Not Iterator.max, which may pass over one that is no number.
    Answer.atMost("relative error of a rank", Tolerance, errors.foldLeft(0.0)(math.max))
  }

  private val Tolerance = 1e-9

  override protected val syntax: OParser[_, RankLoopOptions] = OParser.sequence(
    programName("RankLoop"),
    head("PageRank of an R-MAT graph as a loop over plain RDDs"),
    count("scale", 1, 30).action((x, o) => o.copy(scale = x)).text("2^N vertices; default 12"),
    count("edge-factor", 1, 1 << 16).action((x, o) => o.copy(edgeFactor = x)).text("default 16"),
    count("iterations", 1).action((x, o) => o.copy(iterations = x)).text("default 10"),
    count("partitions", 1).action((x, o) => o.copy(partitions = x)).text("default 16"),
    opt[Boolean]("cache-ranks").valueName("true|false")
      .action((x, o) => o.copy(cacheRanks = x))
      .text("in each iteration, and not the links alone; default true"),
    storageLevel.action((x, o) => o.copy(storageLevel = x))
      .text("of links and ranks; default MEMORY_ONLY"),
    seed.action((x, o) => o.copy(seed = x)),
    help("help").text("print this")
  )
}

/** Which graph, how many iterations, and whether each one's ranks are cached. */
final case class RankLoopOptions(
    scale: Int = 12,
    edgeFactor: Int = 16,
    iterations: Int = 10,
    partitions: Int = 16,
    cacheRanks: Boolean = true,
    storageLevel: String = "MEMORY_ONLY",
    seed: Long = 1
) {

  def edges: Long = RmatOptions(scale, edgeFactor).edges
  def graph: TestGraph = TestGraph.RMat(scale, edgeFactor, seed)
}
