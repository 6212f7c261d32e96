package org.sparkhpc.e2e

import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

/** A distribution in a directory. */
final case class Dist(home: Path) {

  def bin(script: String): String = home.resolve("bin").resolve(script).toString
  def sbin(script: String): String = home.resolve("sbin").resolve(script).toString

  /** The names of the jars that are on every class path. */
  def jars: Set[String] = Dist.names(home.resolve("jars"))

  /** The jar of the examples: all that spark-submit needs of them. */
  def examplesJar: Path = Dist.list(home.resolve("examples/jars")) match {
    case Seq(jar) => jar
    case jars => throw new AssertionError(s"not one examples jar: $jars")
  }

  /** The jar for -javaagent on an untouched Spark. */
  def agent: Path = Dist.list(home.resolve("agent")).head

  /** This distribution for the programs of this process alone, if it is one that was built: suites run beside each
    * other, a local cluster keeps its executors' files in SPARK_HOME/work, by the application's id, and two
    * applications that start in the same second have the same id.
    */
  def ofThisProcess: Dist =
    if (home.getParent == Dist.root)
      Dist.ownCopies.computeIfAbsent(home, _ => placedIn(Dist.own(home)))
    else this

  /** The same distribution in another directory, where it may be written to (a local cluster keeps
    * its executors' files in SPARK_HOME/work). Scripts are copied, jars and PySpark are linked; its processes
    * start with class data.
    */
  def placedIn(directory: Path): Dist = {
    Files.createDirectories(directory)
    for (part <- Seq("bin", "sbin", "conf"); file <- Dist.list(home.resolve(part))) {
      val to = directory.resolve(part).resolve(file.getFileName)
      Files.createDirectories(to.getParent)
      Files.copy(file, to)
    }
    Files.copy(home.resolve("RELEASE"), directory.resolve("RELEASE"))
    for (part <- Seq("jars", "examples", "python") if Files.exists(home.resolve(part)))
      Files.createSymbolicLink(directory.resolve(part), home.resolve(part))
    val lines = ClassData.of(this).toSeq.flatMap(_.settings).map { case (key, value) =>
      s"$key $value"
    }
    if (lines.nonEmpty) Files.write(directory.resolve("conf/spark-defaults.conf"), lines.asJava)
    Dist(directory)
  }
}

object Dist {

  /** The modules of Spark whose jars Spark-HPC patches. */
  val PatchedModules: Seq[String] = Seq("spark-core", "spark-graphx")

  /** The one that dev/make-distribution.sh made. */
  def patched: Dist = built("dist.dir", "dev/make-distribution.sh")

  /** Spark as it is published, with the same scripts. */
  def stock: Dist = built("stock.dir", "dev/make-distribution.sh --stock")

  /** Of Spark-HPC. */
  def version: String = property("project.version")

  /** Of the Spark that was patched. */
  def sparkVersion: String = property("spark.version")

  def root: Path = Paths.get(property("root.dir")).toRealPath()

  def property(name: String): String =
    sys.props.getOrElse(name, throw new AssertionError(s"the build must set -D$name"))

  private val ownCopies = new ConcurrentHashMap[Path, Dist]

  private def own(home: Path): Path = {
    val directory = Files.createTempDirectory(Paths.get("/tmp"), s"hpc-${home.getFileName}-")
    Scratch.open(directory)
    sys.addShutdownHook(Scratch.delete(directory)): Unit
    directory
  }

  private def built(property: String, how: String): Dist = {
    val home = Paths.get(this.property(property))
    assert(Files.exists(home.resolve("RELEASE")), s"$home isn't built: run $how first")
    Dist(home.toRealPath())
  }

  private def names(directory: Path): Set[String] =
    list(directory).map(_.getFileName.toString).toSet

  private def list(directory: Path): Seq[Path] =
    Closing(Files.list(directory))(_.iterator().asScala.toList)
}
