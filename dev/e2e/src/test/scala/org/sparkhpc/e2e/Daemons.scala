package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._
import scala.concurrent.duration._
import scala.util.matching.Regex

/** The daemons of one distribution, started and stopped by its scripts.
  *
  * Their logs, pids and work are in `directory`. Closing kills what didn't stop.
  *
  * @param as what stands before each command, such as a change of user
  */
final class Daemons(
    dist: Dist,
    directory: Path,
    settings: Map[String, String] = Map.empty,
    as: Seq[String] = Nil
) extends AutoCloseable {

  val work: Path = directory.resolve("work")
  private val logs = directory.resolve("logs")
  private val pids = directory.resolve("pids")
  for (part <- Seq(work, logs, pids)) Scratch.open(Files.createDirectories(part))

  val env: Map[String, String] = Map(
    "SPARK_LOG_DIR" -> logs.toString,
    "SPARK_PID_DIR" -> pids.toString,
    "SPARK_IDENT_STRING" -> "e2e",
    // On a busy machine, a daemon that is about to end takes longer than users would wait.
    "SPARK_HPC_START_SECONDS" -> "120",
    "SPARK_WORKER_DIR" -> work.toString,
    "SPARK_LOCAL_DIRS" -> work.toString,
    "SPARK_MASTER_HOST" -> "127.0.0.1",
    "SPARK_MASTER_PORT" -> "0",
    "SPARK_MASTER_WEBUI_PORT" -> "0",
    "SPARK_WORKER_WEBUI_PORT" -> "0",
    "SPARK_DAEMON_MEMORY" -> "512m"
  ) ++ classData ++ settings

  private def classData: Map[String, String] = ClassData.of(dist).fold(Map.empty[String, String]) {
    its => Map("SPARK_DAEMON_CLASSPATH" -> its.classPath, "SPARK_DAEMON_JAVA_OPTS" -> its.options)
  }

  def script(name: String, args: String*): Run =
    Run(as ++ (dist.sbin(name) +: args), directory, env)

  /** What the daemon of this class has logged. */
  def log(daemon: String): String =
    files(logs).filter(_.getFileName.toString.contains(daemon)).map(Run.read).mkString("\n")

  /** What a daemon's log says of itself. */
  def said(daemon: String, what: Regex, limit: FiniteDuration = 2.minutes): String =
    Patience.until(s"$what in the log of $daemon", limit)(
      what.findFirstMatchIn(log(daemon)).map(_.group(1))
    )(log(daemon))

  def pidFiles: Seq[Path] = files(pids)

  /** Stops what runs, by a script of Spark's; until then it has a pid file. */
  def stop(script: String): Run = {
    assert(pidFiles.nonEmpty, s"nothing that $script could stop")
    val run = this.script(script)
    assert(run.exit == 0 && pidFiles.isEmpty, run)
    run
  }

  override def close(): Unit =
    for (file <- pidFiles; pid = Run.read(file).trim if pid.nonEmpty)
      ProcessHandle.of(pid.toLong).ifPresent(process => Run.kill(process))

  private def files(directory: Path): Seq[Path] =
    Closing(Files.list(directory))(_.iterator().asScala.toList)
}
