package org.sparkhpc.e2e

import java.nio.file.Path

/** Programs one after the other in one driver, so that only the first waits for a JVM to start.
  *
  * Each is an application of its own, with its master, its settings and its `--conf`. They have the
  * distribution of the first. Options for the driver's process, such as its memory, are for all.
  */
object InTurn {

  /** What each one printed and what was logged meanwhile, by name. */
  def apply(dir: Path, options: Seq[String] = Nil)(
      applications: (String, Submit)*
  ): Map[String, Run] = {
    val first = applications.head._2
    val args = applications.flatMap { case (name, its) => argsOf(name, its) }
    val run = Submit(first.dist, first.master, "InTurn", args = args, options = options).run(dir)
    assert(run.exit == 0, run)
    val Seq(outs, errs) = Seq(run.out, run.err).map(parts)
    applications.map { case (name, _) =>
      name -> run.copy(out = outs(name), err = errs(name))
    }.toMap
  }

  private def argsOf(name: String, its: Submit): Seq[String] = {
    val isOfApps = !its.program.contains('.')
    val program = if (isOfApps) s"org.sparkhpc.apps.${its.program}" else its.program
    val settings = ("spark.master" -> its.master) +: its.settings
    Seq("::", name, program) ++ settings.map { case (key, value) => s"$key=$value" } ++
      its.options.filter(_ != "--conf") ++ ("--" +: its.args)
  }

  /** By the line that stands before each. */
  private def parts(text: String): Map[String, String] =
    text.split("(?m)^:: ").drop(1).map(_.split("\n", 2)).map { case Array(name, its) =>
      name -> its
    }.toMap
}
