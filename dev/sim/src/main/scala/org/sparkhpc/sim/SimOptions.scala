package org.sparkhpc.sim

import java.io.PrintStream

import scopt.OParser

import org.apache.spark.examples.hpc.{CommandLine, Syntax}

/** Which replays to make.
  *
  * @param percents sizes of memory, in percent of the most that the trace has in memory at once
  */
final case class SimOptions(
    traces: Seq[String] = Nil,
    percents: Seq[Int] = Seq(100, 50, 25, 10),
    policies: Seq[String] = Policies.names,
    spill: Seq[String] = SimOptions.spills,
    megabytesPerSecond: Option[Int] = None
) {

  /** How fast a replay's disk is. */
  def disk: Disk = Disk(megabytesPerSecond.map(megabytes => 1e9 / (megabytes * 1e6)))
}

object SimOptions extends Syntax[SimOptions] {
  import builder._

  val spills: Seq[String] = Seq("never", "auto")

  def parse(args: Seq[String], out: PrintStream): Option[SimOptions] =
    CommandLine.parse(parser, args, SimOptions(), out)

  private def among(name: String, all: Seq[String]): OParser[Seq[String], SimOptions] =
    opt[Seq[String]](name).valueName(all.mkString(",")).validate { values =>
      values.find(!all.contains(_)).fold(success) { value =>
        failure(s"--$name $value: must be among ${all.mkString(", ")}")
      }
    }

  private val parser: OParser[Unit, SimOptions] = OParser.sequence(
    programName("dev/bench/sim"),
    head("Replays traces of spark.hpc.retention.trace with other policies and sizes of memory"),
    arg[String]("TRACE").unbounded().action((x, o) => o.copy(traces = o.traces :+ x))
      .text("a file APPLICATION-EXECUTOR.trace"),
    opt[Seq[Int]]("memory").valueName("PERCENT,...").action((x, o) => o.copy(percents = x))
      .validate { values =>
        values.find(_ < 1).fold(success)(value => failure(s"--memory $value: must be 1 or more"))
      }
      .text("of what the trace has in memory at most; default 100,50,25,10"),
    among("policies", Policies.names).action((x, o) => o.copy(policies = x)).text("default all"),
    among("spill", spills).action((x, o) => o.copy(spill = x))
      .text("whether blocks are written to disk; default both"),
    count("disk", 1).action((x, o) => o.copy(megabytesPerSecond = Some(x)))
      .text("megabytes that are written and read in a second; default: as in the run"),
    help("help").text("print this")
  )
}
