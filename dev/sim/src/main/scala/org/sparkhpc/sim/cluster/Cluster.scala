package org.sparkhpc.sim.cluster

import java.io.PrintStream
import java.nio.file.Paths

import scopt.OParser

import org.apache.spark.examples.hpc.{CommandLine, Program => Command, Refusal, Syntax}

/** Prints what the model of a cluster says of a program: one line of figures for each variant. */
object Cluster extends Command {

  override protected def execute(args: Seq[String], out: PrintStream): Unit =
    ClusterOptions.parse(args, out).foreach { o =>
      val settings = o.set.foldLeft(Settings.read(o.files.map(Paths.get(_)), o.machine)) {
        case (before, (key, value)) => before.set(key, value)
      }
      for (name <- o.variants) {
        val variant = Variant.all.find(_.name == name).getOrElse {
          throw Refusal.usage(
            s"--variants $name: must be among ${Variant.all.map(_.name).mkString(", ")}"
          )
        }
        val machine = Machine(settings, o.executors, o.slots)
        val result = new Simulation(machine, variant, o.program, o.seed, o.steps).run()
        out.println(line(o, name, result))
      }
    }

  private def line(o: ClusterOptions, variant: String, result: Simulation.Result): String = {
    val busiest = result.stages.maxBy(_.seconds).busiest
    val stages =
      Seq("first" -> result.stages.head.seconds, "others" -> result.stages.tail.map(_.seconds).sum)
    val figures = Seq(
      "machine" -> o.machine,
      "variant" -> variant,
      "program" -> o.program.name,
      "executors" -> o.executors,
      "slots" -> o.slots,
      "tasks" -> o.program.tasks,
      "seconds" -> round(result.seconds)
    ) ++ stages.map { case (name, value) => name -> round(value) } ++ Seq(
      "metadata" -> math.round(result.metadata),
      "opens" -> math.round(result.counts.getOrElse("open", 0.0)),
      "data" -> math.round(result.counts.getOrElse("data", 0.0)),
      "moved" -> math.round(result.moved),
      "cpu" -> round(result.cpu),
      "wait" -> round(result.metadataSeconds),
      "busiest" -> busiest._1.replace(' ', '_'),
      "share" -> f"${busiest._2}%.2f"
    )
    figures.map { case (key, value) => s"$key=$value" }.mkString(" ")
  }

  private def round(value: Double): String = f"$value%.3f"
}

final case class ClusterOptions(
    files: Seq[String] = Nil,
    machine: String = "",
    variants: Seq[String] = Variant.all.map(_.name),
    executors: Int = 2,
    slots: Int = 1,
    tasks: Int = 16,
    shuffles: Int = 1,
    pairs: Long = 10000,
    pairBytes: Double = 100,
    inputs: Int = 0,
    label: String = "groupby",
    seed: Long = 1,
    steps: Int = 64,
    set: Seq[(String, Double)] = Nil
) {
  def program: Program = Program(label, tasks, shuffles, pairs.toDouble, pairBytes, inputs)
}

object ClusterOptions extends Syntax[ClusterOptions] {
  import builder._

  def parse(args: Seq[String], out: PrintStream): Option[ClusterOptions] =
    CommandLine.parse(parser, args, ClusterOptions(), out)

  private val parser: OParser[Unit, ClusterOptions] = OParser.sequence(
    programName("dev/bench/cluster-model simulate"),
    head("Runs a program on virtual executors, in virtual time"),
    opt[Seq[String]]("files").required().valueName("FILE,...").action((x, o) => o.copy(files = x))
      .text("files with sections of settings, such as dev/testbed/pfs/presets.conf"),
    opt[String]("machine").required().action((x, o) => o.copy(machine = x)).text("a section"),
    opt[Seq[String]]("variants").action((x, o) => o.copy(variants = x))
      .text(s"default ${Variant.all.map(_.name).mkString(",")}"),
    count("executors", 1).action((x, o) => o.copy(executors = x)).text("default 2"),
    count("slots", 1).action((x, o) => o.copy(slots = x)).text("tasks at a time; default 1"),
    count("tasks", 1).action((x, o) => o.copy(tasks = x)).text("maps, and reducers; default 16"),
    count("shuffles", 1).action((x, o) => o.copy(shuffles = x)).text("default 1"),
    amount("pairs", 1).action((x, o) => o.copy(pairs = x)).text("of a map task; default 10000"),
    opt[Double]("pair-bytes").action((x, o) => o.copy(pairBytes = x)).text("default 100"),
    count("inputs", 0).action((x, o) => o.copy(inputs = x)).text("input files; default 0"),
    opt[String]("label").action((x, o) => o.copy(label = x)).text("the program's name"),
    seed.action((x, o) => o.copy(seed = x)),
    count("steps", 1).action((x, o) => o.copy(steps = x))
      .text("groups of owners that a task asks; default 64"),
    opt[Map[String, String]]("set").valueName("KEY=VALUE,...").action { (x, o) =>
      o.copy(set = x.toSeq.map { case (key, value) => key -> value.toDouble })
    }.text("other values of settings"),
    help("help").text("print this")
  )
}
