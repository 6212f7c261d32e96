package org.apache.spark.examples.hpc

import java.io.PrintStream

import org.apache.spark.SparkConf
import org.apache.spark.deploy.SparkHadoopUtil
import org.apache.spark.sql.SparkSession

/** PageRank of an edge list by GraphX, with a line on what each iteration cost; `--help` lists
  * the options.
  *
  * All that can be checked without a job is checked before Spark starts.
  */
object PageRank extends Program {

  override protected def execute(args: Seq[String], out: PrintStream): Unit =
    PageRankOptions.parse(args, out).foreach { options =>
      if (options.compare && BuildVersion.here() == "stock") {
        throw Refusal.usage("--compare: this is stock Spark, without an engine to compare with")
      }
      val conf = SparkHadoopUtil.get.newConfiguration(new SparkConf())
      val locations = new Locations(conf)
      val input = locations.input("--input", options.input)
      val output = options.output.map(locations.output("--output", _))
      val names = options.names.map { file =>
        new VertexNames(locations.file("--names", file), conf)
      }
      names.foreach(_.check())

      val spark = SparkSession.builder.appName("PageRank").getOrCreate()
      try {
        val run = new PageRankRun(spark, options, out)
        val graph = run.graph(input)
        val ranks = run.ranks(graph)
        output.foreach(run.write(ranks, _))
        run.printTop(ranks, names)
        run.printTotals()
        if (options.compare) run.compare(graph)
      } finally spark.stop()
    }
}
