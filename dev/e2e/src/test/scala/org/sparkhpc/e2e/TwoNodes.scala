package org.sparkhpc.e2e

import java.nio.file.{Files, Path, Paths}

import scala.util.Try

/** A standalone cluster with a worker of one core on each of two nodes, in a network of its own where
  * a node is an address: one that is deleted gets no packets any more. For root.
  */
final class TwoNodes(dist: Dist, directory: Path) extends AutoCloseable {
  private val needed = Seq("sh", "-c", "command -v ip && command -v unshare && command -v nsenter")
  Needs(
    Files.isWritable(Paths.get("/")) && Run(needed, directory).exit == 0,
    "root, iproute2 and util-linux, for a network of its own"
  )

  private var started = Seq.empty[Started]
  private val work = Files.createDirectories(directory.resolve("work"))
  private val nodes = Seq("10.0.0.1", "10.0.0.2")

  /** What stands before a command that is to run in the network. */
  val as: Seq[String] = begin {
    val up = "ip link set lo up && for node; do ip addr add $node/32 dev lo || exit; done"
    val holder = start(
      Seq("unshare", "--net", "sh", "-c", s"$up; echo process $$$$ && exec cat", "sh") ++ nodes
    )
    Seq("nsenter", s"--net=/proc/${said(holder, "process")}/ns/net")
  }

  val url: String = begin {
    val master = daemon("master.Master", "--host", "127.0.0.1", "--port", "0")
    val url = said(master, "Starting Spark master at")
    for (node <- nodes)
      daemon(
        "worker.Worker",
        Seq("--host", node, "--cores", "1", "--memory", "1g", "--work-dir", work.toString, url): _*
      )
    url
  }

  /** What the executor of the only application has logged. */
  def executorLog(id: String): String =
    FilesBelow(work).filter(_.endsWith(Paths.get(id, "stderr"))).map(Run.read).mkString("\n")

  override def close(): Unit = started.foreach(_.kill())

  private def daemon(name: String, options: String*): Started =
    start(
      as ++ Seq(dist.bin("spark-class"), s"org.apache.spark.deploy.$name", "--webui-port", "0") ++
        options
    )

  private def start(command: Seq[String]): Started = {
    val process = Started(command, directory, Map("SPARK_DAEMON_MEMORY" -> "512m") ++ classData)
    started = process +: started
    process
  }

  /** For master and workers. */
  private def classData: Map[String, String] = ClassData.of(dist).fold(Map.empty[String, String]) {
    its => Map("SPARK_DAEMON_CLASSPATH" -> its.classPath, "SPARK_DAEMON_JAVA_OPTS" -> its.options)
  }

  /** The word after this in what a process says. */
  private def said(process: Started, what: String): String =
    Patience.until(what)(
      s"$what (\\S+)".r.findFirstMatchIn(process.said).map(_.group(1))
    )(process.said)

  /** Without leaving anything behind if it fails. */
  private def begin[A](what: => A): A = {
    val result = Try(what)
    if (result.isFailure) close()
    result.get
  }
}
