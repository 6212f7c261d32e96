package org.apache.spark.examples.hpc

import java.io.PrintStream

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging

/** A command of this package; `run` is all of it but the exit of the process, so tests call it too.
  *
  * Results go to `out`. A failure is one line on `err` and a code that isn't zero: 2 when the
  * command line is at fault, 1 when what it names is. The stack trace of a failure that nobody
  * foresaw is in the log at level DEBUG.
  */
trait Program extends Logging {

  protected def name: String = getClass.getSimpleName.stripSuffix("$")

  /** Does the work; whatever the user can mend is thrown as a [[Refusal]]. */
  protected def execute(args: Seq[String], out: PrintStream): Unit

  final def run(args: Seq[String], out: PrintStream, err: PrintStream): Int =
    try {
      execute(args, out)
      0
    } catch {
      case refusal: Refusal =>
        err.println(s"$name: ${refusal.getMessage}")
        refusal.exitCode
      case NonFatal(failure) =>
        logDebug(s"$name failed", failure)
        err.println(s"$name: ${OneLine(failure)}")
        1
    } finally out.flush()

  final def main(args: Array[String]): Unit = {
    val code = run(args.toSeq, System.out, System.err)
    // Where spark-submit runs us in its own JVM, returning lets it finish its own shutdown.
    if (code != 0) System.exit(code)
  }
}
