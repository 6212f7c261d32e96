package org.sparkhpc.e2e

import java.nio.file.Path

/** A master and two workers of one core, so that an application has two executors; or more of them,
  * to lose some.
  */
final class StandaloneCluster(
    dist: Dist,
    directory: Path,
    as: Seq[String] = Nil,
    workers: Int = 2,
    settings: Map[String, String] = Map.empty
) extends AutoCloseable {

  val daemons = new Daemons(
    dist,
    directory,
    Map(
      "SPARK_WORKER_INSTANCES" -> workers.toString,
      "SPARK_WORKER_CORES" -> "1",
      "SPARK_WORKER_MEMORY" -> "1g"
    ) ++ settings,
    as
  )

  val url: String =
    try {
      started(daemons.script("start-master.sh"))
      val url = daemons.said("Master", "Starting Spark master at (spark://\\S+)".r)
      started(daemons.script("start-worker.sh", url))
      url
    } catch {
      case e: Throwable =>
        daemons.close()
        throw e
    }

  /** Starts another worker of one core, with a directory of its own for work.
    *
    * @param as what stands before a command that is to run on the worker's node
    */
  def worker(as: Seq[String], work: Path): Started = {
    val options = Seq("--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g")
    val command = Seq(dist.bin("spark-class"), "org.apache.spark.deploy.worker.Worker") ++ options
    // Of the other daemons what isn't their node's.
    val env = daemons.env.filter { case (key, _) => key.startsWith("SPARK_DAEMON_") }
    Started(as ++ command ++ Seq("--work-dir", work.toString, url), directory, env)
  }

  /** By application and executor: the files `stderr` below the workers' directory. */
  def executorLogs: Seq[String] = logs.map(Run.read)

  /** The same for `stdout`. */
  def executorOutputs: Seq[String] =
    FilesBelow(daemons.work).filter(_.endsWith("stdout")).map(Run.read)

  /** That of an executor of the only application. */
  def executorLog(id: String): String =
    logs.filter(_.getParent.endsWith(id)).map(Run.read).mkString("\n")

  private def logs: Seq[Path] = FilesBelow(daemons.work).filter(_.endsWith("stderr"))

  override def close(): Unit =
    try {
      daemons.script("stop-worker.sh")
      daemons.script("stop-master.sh")
    } finally daemons.close()

  private def started(run: Run): Unit = assert(run.exit == 0, run)
}

object StandaloneCluster {

  /** A program begins when it has both executors, however late one of them is. */
  val Both: Seq[(String, String)] = Seq(
    "spark.cores.max" -> "2",
    "spark.scheduler.minRegisteredResourcesRatio" -> "1.0",
    "spark.scheduler.maxRegisteredResourcesWaitingTime" -> "120s"
  )
}
