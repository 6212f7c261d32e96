package org.apache.spark.hpc.report

import org.sparkhpc.report.TextReport

/** Prints where the time of a run went, from its event log: `spark-hpc report` runs this. */
object Report {
  private val Usage = "usage: spark-hpc report APPLICATION_OR_EVENT_LOG [--html FILE] [--json FILE]"

  def main(arguments: Array[String]): Unit = {
    val directory = sys.env.get("SPARK_HPC_EVENT_LOG").filter(_.nonEmpty)
    val code =
      try {
        arguments match {
          case Array(log) => print(TextReport.of(LoggedRun.read(log, directory)))
          case _ => throw new LogRefused(Usage)
        }
        0
      } catch {
        case refused: LogRefused =>
          System.err.println(s"spark-hpc report: ${refused.getMessage}")
          1
      }
    System.exit(code)
  }
}
