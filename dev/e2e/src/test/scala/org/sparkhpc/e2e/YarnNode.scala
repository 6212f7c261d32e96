package org.sparkhpc.e2e

import java.lang.ProcessHandle
import java.nio.file.{Files, Path, Paths}

/** A single-node YARN in a JVM of its own. */
final class YarnNode(directory: Path) extends AutoCloseable {

  val configuration: Path = directory.resolve("conf")

  private val process = Started(
    Seq(
      ProcessHandle.current().info().command().get(),
      "-Xmx512m",
      // Its web applications make proxies of classes at run time.
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "-cp",
      // What the minicluster's jar takes for granted, such as log4j, is among Spark's jars.
      sys.props("java.class.path") + ":" + Dist.patched.home + "/jars/*",
      "org.sparkhpc.e2e.MiniYarn",
      configuration.toString
    ),
    directory
  )

  /** Waits until it takes applications. */
  def awaitReady(): Unit = {
    Patience.until("YARN") {
      if (!process.isAlive) throw new AssertionError(s"YARN is over: ${process.said}")
      Some(configuration.resolve("yarn-site.xml")).filter(Files.exists(_))
    }(process.said)
    ()
  }

  /** The files `name` of all containers of an application, by container. */
  def containerLogs(application: String, name: String): Map[String, String] =
    FilesBelow(directory)
      .filter(file => file.endsWith(Paths.get(name)) && file.toString.contains(application))
      .filter(_.getParent.getFileName.toString.startsWith("container_"))
      .map(file => file.getParent.getFileName.toString -> Run.read(file))
      .toMap

  override def close(): Unit = process.close()
}
