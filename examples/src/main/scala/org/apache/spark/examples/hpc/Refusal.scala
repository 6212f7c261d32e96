package org.apache.spark.examples.hpc

import scala.util.control.NoStackTrace

/** A request that can't be met, told in one line: which setting or file, its value, the remedy.
  *
  * It has no stack trace, because the line is for the person who typed the request; where in our
  * code it was found out is of no use to them.
  */
final class Refusal private (val exitCode: Int, line: String)
    extends Exception(line)
    with NoStackTrace

object Refusal {

  /** The command line is wrong: nothing was looked at yet. */
  def usage(line: String): Refusal = new Refusal(2, line)

  /** The command line is right, but what it names isn't. */
  def data(line: String): Refusal = new Refusal(1, line)

  /** The work was done, and its answer is wrong: nobody may take it for a result. */
  def answer(line: String): Refusal = new Refusal(1, s"wrong answer: $line")
}
