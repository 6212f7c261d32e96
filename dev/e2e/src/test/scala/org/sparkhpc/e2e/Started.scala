package org.sparkhpc.e2e

import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit.SECONDS

import scala.collection.JavaConverters._

/** A process that runs beside the test. Its standard input stays open until `close`, which waits
  * for its end for a moment and then kills it with all that it started.
  */
final class Started private (process: Process, log: Path) extends AutoCloseable {

  def said: String = Run.read(log)

  def isAlive: Boolean = process.isAlive

  /** By SIGTERM, to all that it started itself. */
  def terminateChildren(): Unit = process.children().forEach(_.destroy(): Unit)

  /** Kills one of the processes that it started, directly or not: one that runs this class. */
  def killOne(mainClass: String): Boolean =
    Closing(process.descendants())(_.iterator().asScala.toList)
      .find(_.info().commandLine().orElse("").contains(mainClass)).exists(_.destroyForcibly())

  /** At once, as by kill -9, with all that it started. */
  def kill(): Unit = {
    Run.kill(process.toHandle)
    process.waitFor(10, SECONDS)
    ()
  }

  override def close(): Unit = {
    process.getOutputStream.close()
    process.waitFor(10, SECONDS)
    kill()
  }
}

object Started {

  def apply(command: Seq[String], dir: Path, env: Map[String, String] = Map.empty): Started = {
    val log = Files.createTempFile(dir, "started-", ".log")
    val process = Run.builder(command, dir.toFile, env)
      .redirectErrorStream(true)
      .redirectOutput(log.toFile)
      .start()
    new Started(process, log)
  }
}
