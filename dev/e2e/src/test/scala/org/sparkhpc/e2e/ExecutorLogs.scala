package org.sparkhpc.e2e

/** The files `stderr` of executors of a local cluster, which are below its distribution. */
object ExecutorLogs {
  private val Application = "Connected to Spark cluster with app ID (\\S+)".r

  /** Those of a run's only application, by executor. */
  def of(dist: Dist, run: Run): Map[String, String] = {
    val id = Application.findFirstMatchIn(run.err).map(_.group(1))
      .getOrElse(throw new AssertionError(s"no application: $run"))
    FilesBelow(dist.home.resolve("work").resolve(id)).filter(_.endsWith("stderr"))
      .map(file => file.getParent.getFileName.toString -> Run.read(file)).toMap
  }
}
