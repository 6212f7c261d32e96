package org.sparkhpc.e2e

/** The lines "result NAME VALUE" of an application in Python. */
final case class PythonResults(lines: Seq[(String, String)]) {

  /** What has to be the same on every Spark. */
  def values: Map[String, String] = lines.filterNot(_._1.startsWith("where.")).toMap

  /** All that the application said under this name. */
  def where(name: String): Seq[String] =
    lines.collect { case (`name`, value) => value }
}

object PythonResults {
  def of(run: Run): PythonResults =
    PythonResults(run.lines.map(_.split(" ", 3)).collect { case Array("result", name, value) =>
      name -> value
    })
}
