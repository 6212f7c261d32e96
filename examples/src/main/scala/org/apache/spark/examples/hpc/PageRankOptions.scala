package org.apache.spark.examples.hpc

import java.io.PrintStream

import scopt.OParser

import org.apache.spark.storage.StorageLevel

/** What a PageRank is asked to do; Spark's own settings come from spark-submit alone. */
final case class PageRankOptions(
    inputs: Seq[String] = Nil,
    iterations: Option[Int] = None,
    dynamic: Option[Double] = None,
    partitions: Int = 0,
    storageLevel: String = "MEMORY_ONLY",
    top: Int = 20,
    names: Option[String] = None,
    output: Option[String] = None,
    format: String = "parquet",
    resetProbability: Double = 0.15,
    compare: Boolean = false
) {

  def input: String = inputs.head
  def steps: Int = iterations.getOrElse(10)
  def level: StorageLevel = StorageLevel.fromString(storageLevel)
}

object PageRankOptions extends Syntax[PageRankOptions] {
  import builder._

  private val formats = Seq("parquet", "text")

  def parse(args: Seq[String], out: PrintStream): Option[PageRankOptions] =
    CommandLine.parse(parser, args, PageRankOptions(), out)

  private val parser: OParser[Unit, PageRankOptions] = OParser.sequence(
    programName("PageRank"),
    head("GraphX's PageRank on an edge list in SNAP format"),
    arg[String]("INPUT").optional().unbounded().action((x, o) => o.copy(inputs = o.inputs :+ x))
      .text("file, directory or pattern; lines 'source target', # comments, blank lines"),
    path("input").action((x, o) => o.copy(inputs = o.inputs :+ x)).text("the same as an option"),
    count("iterations", 1).action((x, o) => o.copy(iterations = Some(x)))
      .text("of the static algorithm; default 10"),
    opt[Double]("dynamic").valueName("TOLERANCE")
      .action((x, o) => o.copy(dynamic = Some(x)))
      .validate { tolerance =>
        if (tolerance > 0) success else failure(s"--dynamic $tolerance: must be above 0")
      }
      .text("the dynamic algorithm instead: a vertex that changes by less than that is done"),
    count("partitions", 0).action((x, o) => o.copy(partitions = x))
      .text("default 0: those of the input, at least the default parallelism"),
    storageLevel.action((x, o) => o.copy(storageLevel = x))
      .text("of the graph and all its generations; default MEMORY_ONLY"),
    opt[Double]("reset-probability").valueName("P")
      .action((x, o) => o.copy(resetProbability = x))
      .validate { p =>
        // At 0 the ranks of a graph without cycles drain away, and can't be normalised.
        if (p > 0 && p <= 1) success
        else failure(s"--reset-probability $p: must be above 0 and at most 1")
      }
      .text("default 0.15"),
    count("top", 0).action((x, o) => o.copy(top = x)).text("ranks to print; default 20"),
    path("names").action((x, o) => o.copy(names = Some(x)))
      .text("file with lines 'id<TAB>name' for the printed ranks"),
    path("output").action((x, o) => o.copy(output = Some(x)))
      .text("new directory for all ranks"),
    oneOf("format", formats).valueName("parquet|text").action((x, o) => o.copy(format = x))
      .text("of the output; default parquet (id, rank); text is id<TAB>rank"),
    opt[Unit]("compare").action((_, o) => o.copy(compare = true))
      .text("rank again by Spark's own GraphX, and print both costs and the largest difference"),
    help("help").text("print this"),
    checkConfig { o =>
      o.inputs.size match {
        case 1 if o.iterations.isDefined && o.dynamic.isDefined =>
          failure("--iterations, --dynamic: give one of them")
        case 1 => success
        case 0 => failure("--input: missing; give the edge list's path")
        case n => failure(s"--input: given $n times; use one directory or pattern")
      }
    }
  )
}
