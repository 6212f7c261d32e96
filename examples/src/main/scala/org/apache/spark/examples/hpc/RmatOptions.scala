package org.apache.spark.examples.hpc

import java.io.PrintStream

import scala.util.Try

import scopt.OParser

/** Which R-MAT graph to write, and where. */
final case class RmatOptions(
    scale: Int = 0,
    edgeFactor: Int = 16,
    seed: Long = 1,
    partitions: Int = 0,
    output: String = ""
) {

  def vertices: Long = 1L << scale
  def edges: Long = Math.multiplyExact(vertices, edgeFactor.toLong)
}

object RmatOptions extends Syntax[RmatOptions] {
  import builder._

  def parse(args: Seq[String], out: PrintStream): Option[RmatOptions] =
    CommandLine.parse(parser, args, RmatOptions(), out)

  private val parser: OParser[Unit, RmatOptions] = OParser.sequence(
    programName("Rmat"),
    head("An R-MAT graph with Graph500's parameters, as an edge list in SNAP format"),
    count("scale", 1, RmatGenerator.MaxScale).required().action((x, o) => o.copy(scale = x))
      .text("2^N vertices"),
    count("edge-factor", 1).action((x, o) => o.copy(edgeFactor = x))
      .text("edges for each vertex; default 16"),
    seed.action((x, o) => o.copy(seed = x)),
    count("partitions", 0).action((x, o) => o.copy(partitions = x))
      .text("files to write; the edges don't depend on it; default 0: the default parallelism"),
    path("output").required().action((x, o) => o.copy(output = x)).text("new directory"),
    help("help").text("print this"),
    checkConfig { o =>
      // Draws are numbered by edge and level in one Long.
      if (Try(Math.multiplyExact(o.edges, RmatGenerator.MaxScale.toLong)).isSuccess) success
      else failure(s"--edge-factor ${o.edgeFactor}: too many edges at scale ${o.scale}; lower one")
    }
  )
}
