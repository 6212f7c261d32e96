package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

/** A master and two workers of one core, so that an application has two executors; or more of them,
  * to lose some.
  */
final class StandaloneCluster(
    dist: Dist,
    directory: Path,
    as: Seq[String] = Nil,
    workers: Int = 2
) extends AutoCloseable {

  val daemons = new Daemons(
    dist,
    directory,
    Map(
      "SPARK_WORKER_INSTANCES" -> workers.toString,
      "SPARK_WORKER_CORES" -> "1",
      "SPARK_WORKER_MEMORY" -> "1g"
    ),
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

  /** By executor: the files `stderr` below the workers' directory. */
  def executorLogs: Seq[String] =
    Closing(Files.walk(daemons.work)) { files =>
      files.iterator().asScala.filter(_.endsWith("stderr")).map(Run.read).toList
    }

  override def close(): Unit =
    try {
      daemons.script("stop-worker.sh")
      daemons.script("stop-master.sh")
    } finally daemons.close()

  private def started(run: Run): Unit = assert(run.exit == 0, run)
}
