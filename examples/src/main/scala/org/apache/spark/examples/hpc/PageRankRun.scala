package org.apache.spark.examples.hpc

import java.io.PrintStream
import java.util.Locale

import org.apache.hadoop.fs.Path

import org.apache.spark.graphx.{Graph, VertexId, VertexRDD}
import org.apache.spark.graphx.lib.{PageRank => GraphXPageRank}
import org.apache.spark.sql.SparkSession

/** One PageRank in a running Spark application: the graph, its ranks, what came of them. */
final class PageRankRun(spark: SparkSession, options: PageRankOptions, out: PrintStream) {
  private val sc = spark.sparkContext
  private val started = System.nanoTime()
  @volatile private var isComparing = false
  private val listener =
    new IterationListener(iteration => if (!isComparing) out.println(iteration))
  sc.addSparkListener(listener)

  /** The ranks of all vertices; they add up to the number of vertices. */
  def ranks(graph: Graph[Int, Int]): VertexRDD[Double] = {
    val reset = options.resetProbability
    val ranked = options.dynamic.fold(GraphXPageRank.runWithOptions(graph, options.steps, reset)) {
      tolerance => GraphXPageRank.runUntilConvergenceWithOptions(graph, tolerance, reset)
    }
    ranked.vertices
  }

  /** Ranks the graph again by Spark's own GraphX, and prints what both cost and how far the ranks differ. */
  def compare(graph: Graph[Int, Int]): Unit = {
    drain()
    isComparing = true
    val ours = EngineCost(sc, listener, "auto")(ranks(graph))
    val stocks = EngineCost(sc, listener, "stock")(ranks(graph))
    val differences = ours.ranks.innerZipJoin(stocks.ranks) { (_, one, other) =>
      math.abs(one - other) / other
    }
    out.println(s"compare: engine $ours; Spark's own GraphX $stocks; " +
      s"largest difference of a rank ${differences.values.max} of it")
  }

  /** The graph, cached; counting its edges is the pass that finds bad lines. */
  def graph(input: Path): Graph[Int, Int] = {
    val bad = new BadLines(keep = 1)
    sc.register(bad, "bad lines of the edge list")
    val edges = EdgeList.read(sc, input, options.partitions, bad)
    val graph = Graph.fromEdges(edges, 1, options.level, options.level)
    val edgeCount = graph.edges.count()
    EdgeList.check(bad)
    if (edgeCount == 0) {
      throw Refusal.data(s"--input $input: no edges in it; the graph is empty")
    }
    out.println(
      s"graph: vertices=${graph.numVertices} edges=$edgeCount " +
        s"partitions=${graph.edges.getNumPartitions} storageLevel=${options.storageLevel} " +
        s"seconds=$seconds"
    )
    graph
  }

  def write(ranks: VertexRDD[Double], output: Path): Unit = {
    import spark.implicits._
    options.format match {
      case "parquet" => ranks.toDF("id", "rank").write.parquet(output.toString)
      case "text" =>
        ranks.map { case (id, rank) => s"$id\t$rank" }.saveAsTextFile(output.toString)
    }
    out.println(s"ranks of all vertices: ${options.format} in $output")
  }

  def printTop(ranks: VertexRDD[Double], names: Option[VertexNames]): Unit =
    if (options.top > 0) {
      drain()
      val top = ranks.top(options.top)(PageRankRun.byRank)
      val nameOf = names.fold(Map.empty[VertexId, String])(_.of(top.map(_._1).toSet))
      new RankTable(top, nameOf).lines.foreach(line => out.println(line))
    }

  def printTotals(): Unit = {
    drain()
    val until = options.dynamic.fold(s"iterations=${options.steps}")(t => s"tolerance=$t")
    out.println(s"total: $until seconds=$seconds ${listener.totals}")
  }

  /** Lets the events of finished jobs arrive, so that lines come in order and totals are whole. */
  private def drain(): Unit = sc.listenerBus.waitUntilEmpty()

  private def seconds: String =
    "%.3f".formatLocal(Locale.ROOT, (System.nanoTime() - started) / 1e9)
}

object PageRankRun {

  /** Equal ranks stand in order of their ids, so that a ranking is the same in every run. */
  private[hpc] val byRank: Ordering[(VertexId, Double)] =
    Ordering.by { case (id, rank) => (rank, -id) }
}
