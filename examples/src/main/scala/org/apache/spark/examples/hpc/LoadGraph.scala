package org.apache.spark.examples.hpc

import java.io.PrintStream

import org.apache.hadoop.fs.Path
import scopt.OParser

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.deploy.SparkHadoopUtil
import org.apache.spark.graphx.{Graph, GraphLoader}
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel.MEMORY_ONLY

/** Loads an edge list by GraphX's `GraphLoader.edgeListFile`, several times. It prints a line with the cost of each time,
  * of the form of PageRank's lines for iterations. The edges are compared with those that this package's own parser finds.
  */
object LoadGraph extends Program with Syntax[LoadGraphOptions] {
  import builder._

  override protected def execute(args: Seq[String], out: PrintStream): Unit =
    CommandLine.parse(syntax, args, LoadGraphOptions(), out).foreach { options =>
      val conf = SparkHadoopUtil.get.newConfiguration(new SparkConf())
      val input = new Locations(conf).input("--input", options.input)
      val spark = SparkSession.builder.appName(name).getOrCreate()
      try load(spark.sparkContext, input, options, out)
      finally spark.stop()
    }

  private def load(
      sc: SparkContext,
      input: Path,
      options: LoadGraphOptions,
      out: PrintStream
  ): Unit = {
    val started = System.nanoTime()
    val listener = new IterationListener(_ => ())
    sc.addSparkListener(listener)
    def totals: RunCounters = {
      sc.listenerBus.waitUntilEmpty()
      listener.totals
    }
    val bad = new BadLines(keep = 1)
    sc.register(bad, "bad lines of the edge list")
    val edges = EdgeList.read(sc, input, options.partitions, bad)
    val (wantedEdges, vertices) = checksum(Graph.fromEdges(edges, 1, MEMORY_ONLY, MEMORY_ONLY))
    EdgeList.check(bad)
    for (number <- 1 to options.loads) {
      val (before, from) = (totals, System.currentTimeMillis())
      val graph =
        GraphLoader.edgeListFile(sc, input.toString, numEdgePartitions = options.partitions)
      graph.vertices.count()
      val millis = System.currentTimeMillis() - from
      out.println(Iteration(number, millis, totals - before))
      Answer.equal("edges and vertices", (wantedEdges, vertices), checksum(graph))
    }
    val seconds = (System.nanoTime() - started) / 1e9
    out.println(
      s"load: edges=${wantedEdges.records} vertices=$vertices seconds=$seconds check=ok"
    )
  }

  /** Of the edges, and the number of vertices. The graph isn't cached afterwards. */
  private def checksum(graph: Graph[Int, Int]): (Checksum, Long) =
    try {
      val edges = Checksum.of(graph.edges.map(edge => Checksum.hash(edge.srcId, edge.dstId)))
      (edges, graph.vertices.count())
    } finally graph.unpersist()

  private val syntax: OParser[_, LoadGraphOptions] = OParser.sequence(
    programName("LoadGraph"),
    head("GraphX's loading of an edge list"),
    path("input").required().action((x, o) => o.copy(input = x)).text("an edge list"),
    count("partitions", 1).action((x, o) => o.copy(partitions = x)).text("default 16"),
    count("loads", 1).action((x, o) => o.copy(loads = x)).text("default 5"),
    help("help").text("print this")
  )
}

/** Which edge list, in how many partitions, how often. */
final case class LoadGraphOptions(input: String = "", partitions: Int = 16, loads: Int = 5)
