package org.apache.spark.examples.hpc

/** What a program left behind: its exit code and what it printed. */
final case class Ran(code: Int, out: String, err: String) {
  def outLines: Seq[String] = out.linesIterator.toSeq
  def errLines: Seq[String] = err.linesIterator.toSeq
}
