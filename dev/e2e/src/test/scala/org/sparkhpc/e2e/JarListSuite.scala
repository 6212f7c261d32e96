package org.sparkhpc.e2e

import java.nio.file.{Files, Path}
import java.security.MessageDigest
import java.util.zip.ZipFile

import com.fasterxml.jackson.databind.ObjectMapper
import org.scalatest.funsuite.AnyFunSuite

import scala.collection.JavaConverters._

/** The jars of the distribution, compared with those of Spark's own. */
class JarListSuite extends AnyFunSuite with Scratch {
  import JarListSuite._

  private val files = Dist.root.resolve("dev/distribution")
  private lazy val official = lines(files.resolve("official-jars.txt")).toSet
  private lazy val differences = lines(files.resolve("jar-differences.txt")).map(Difference(_))

  test("every difference to Spark's own distribution is explained, and every explanation holds") {
    val ours = Dist.patched.jars
    val missing = (official -- ours).map("- " + _)
    val added = (ours -- official).map("+ " + _)
    assert(differences.map(_.what).sorted == (missing ++ added).toSeq.sorted)
    assert(differences.forall(_.reason.nonEmpty))
  }

  test("the list of Spark's own jars is the Python package's") {
    val version = Dist.sparkVersion
    val cache = sys.env.get("XDG_CACHE_HOME").filter(_.nonEmpty)
      .getOrElse(sys.props("user.home") + "/.cache")
    val archive = Path.of(cache, "spark-hpc", s"pyspark-$version.tar.gz")
    Needs(Files.exists(archive), s"the Python package in $archive")
    val tool = Dist.root.resolve("dev/from-python-package").toString
    val run = Run(Seq(tool, version, "--names", "deps/jars"), scratch)
    assert(run.exit == 0, run)
    assert(run.lines.toSet == official)
  }

  test("a jar that holds somebody else's classes holds their licence") {
    for (
      (jar, parts) <- Seq(
        s"agent/spark-hpc-agent-${Dist.version}.jar" -> Seq("asm", "uplot"),
        "patch/weaver.jar" -> Seq("asm"),
        s"examples/jars/spark-examples_2.12-${Dist.version}.jar" -> Seq("scopt"),
        s"jars/spark-hpc-report_2.12-${Dist.version}.jar" -> Seq("uplot")
      )
    ) Closing(new ZipFile(Dist.patched.home.resolve(jar).toFile)) { zip =>
      val names = zip.entries().asScala.map(_.getName).toSet
      val held = Seq("asm", "scopt", "uplot").filter(part => names.exists(_.contains(s"$part/")))
      assert(held == parts, jar)
      for (part <- parts) {
        val licence = s"LICENSE-$part.txt"
        assert(names(s"META-INF/licenses/$licence"), jar)
        assert(Files.exists(Dist.patched.home.resolve("licenses").resolve(licence)))
      }
    }
  }

  test(
    "the bill of materials has each jar and py4j, with the file's hash, a licence and a place to get it"
  ) {
    val home = Dist.patched.home
    val bill = new ObjectMapper().readTree(home.resolve("bom.cdx.json").toFile)
    val listed = bill.get("components").asScala.toSeq.map { component =>
      assert(component.get("licenses").size > 0, component)
      assert(component.get("purl").asText.startsWith("pkg:"), component)
      val file = component.get("properties").get(0).get("value").asText
      val digest =
        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(home.resolve(file)))
      val actual = digest.map(byte => f"$byte%02x").mkString
      assert(component.get("hashes").get(0).get("content").asText == actual, file)
      file
    }
    // Executors of local clusters have copies of their applications' jars below `work`.
    val jars = FilesBelow(home).map(home.relativize(_).toString)
      .filter(name => name.endsWith(".jar") && !name.startsWith("work/"))
    val (libraries, others) = listed.partition(_.endsWith(".jar"))
    assert(libraries.sorted == jars.sorted && jars.size > 250)
    assert(others.size == 1 && others.head.startsWith("python/lib/py4j-"))
  }

  test("no jar that only we ship has a class that another jar has too") {
    val jars = Dist.patched.jars.toSeq.map(name => name -> classes(Dist.patched, name))
    val (added, others) = jars.partition { case (name, _) => !official(name) }
    val all = others.flatMap { case (name, classes) => classes.map(_ -> name) }.toMap
    assert(added.size == 7 && all.size > 50000)
    for ((name, classes) <- added) {
      val twice = classes.filter(all.contains) diff allowed
      assert(twice.isEmpty, s"$name: ${twice.take(10).map(c => s"$c in ${all(c)}")}")
    }
  }
}

object JarListSuite {

  /** A line of jar-differences.txt. */
  final private case class Difference(what: String, reason: String)

  private object Difference {
    def apply(line: String): Difference = {
      val Array(sign, name, reason) = line.split(" +", 3)
      Difference(s"$sign ${name.replace("@project.version@", Dist.version)}", reason)
    }
  }

  /** The shade plugin's stub, in many of Spark's jars. */
  private val allowed = Set("org/apache/spark/unused/UnusedStubClass.class")

  /** The lines of a list, without its comments. */
  private[e2e] def lines(file: Path): Seq[String] =
    Run.read(file).linesIterator.filterNot(line => line.isEmpty || line.startsWith("#")).toSeq

  private def classes(dist: Dist, jar: String): Set[String] =
    Closing(new ZipFile(dist.home.resolve("jars").resolve(jar).toFile)) { zip =>
      zip.entries().asScala.map(_.getName).filter { name =>
        name.endsWith(".class") && !name.endsWith("-info.class")
      }.toSet
    }
}
