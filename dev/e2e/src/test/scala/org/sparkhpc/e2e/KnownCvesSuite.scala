package org.sparkhpc.e2e

import java.nio.file.Path

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.maven.artifact.versioning.ComparableVersion
import org.scalatest.funsuite.AnyFunSuite

import scala.collection.JavaConverters._

/** The list of known CVEs, compared with the bill of materials. */
class KnownCvesSuite extends AnyFunSuite {
  import JarListSuite.lines
  import KnownCvesSuite._

  private val files = Dist.root.resolve("dev/distribution")
  private lazy val known = lines(files.resolve("known-cves.tsv")).map(Affected(_))
  private lazy val shipped = shippedBy(Dist.patched.home.resolve("bom.cdx.json"))

  test("each listed library is in the distribution, in an affected version") {
    assert(known.nonEmpty)
    assert(notShipped(known, shipped) == Nil)
  }

  test("no library that Spark doesn't have itself has a known CVE") {
    val official = lines(files.resolve("official-jars.txt")).toSet
    val added = shipped.filterNot { case (_, library) => official(library.jar) }
    // Ours, and Spark's own jars that are patched.
    assert(added.size > 5)
    assert(known.filter(line => added.contains(line.library)) == Nil)
  }

  test("a line whose CVE is mended, or whose library isn't shipped, is named") {
    val libraries = Map("a:one" -> Library("4.1.9.Final", "one.jar"))
    val cases = Seq(
      "a:one\t0\t-" -> true,
      "a:one\t0\t4.1.10.Final" -> true,
      "a:one\t0\t4.1.9.Final" -> false,
      "a:one\t4.1.9.Final\t5" -> true,
      "a:one\t4.1.10.Final\t5" -> false,
      "a:two\t0\t-" -> false
    )
    for ((line, affected) <- cases) {
      val read = Affected(s"$line\tCVE-1\tnever\tnothing")
      assert(notShipped(Seq(read), libraries).isEmpty == affected, line)
    }
  }
}

object KnownCvesSuite {

  /** A library's version and file name. */
  final private case class Library(version: String, jar: String)

  /** A line of known-cves.tsv: versions from `first` on, and before `fixed`, are affected. */
  final private case class Affected(library: String, first: String, fixed: String, cves: String) {
    def has(version: String): Boolean =
      !before(version, first) && (fixed == "-" || before(version, fixed))
  }

  private object Affected {
    def apply(line: String): Affected = {
      val Array(library, first, fixed, cves, _, _) = line.split("\t")
      Affected(library, first, fixed, cves)
    }
  }

  private def before(one: String, other: String): Boolean =
    new ComparableVersion(one).compareTo(new ComparableVersion(other)) < 0

  /** The lines to remove from the list. */
  private def notShipped(known: Seq[Affected], shipped: Map[String, Library]): Seq[Affected] =
    known.filterNot(line => shipped.get(line.library).exists(found => line.has(found.version)))

  /** The libraries of Maven in a bill of materials, by group:artifact. */
  private def shippedBy(bill: Path): Map[String, Library] = {
    val components = new ObjectMapper().readTree(bill.toFile).get("components").asScala
    components.map(component => component.get("purl").asText -> component).collect {
      case (FromMaven(group, name, version), component) =>
        val file = component.get("properties").get(0).get("value").asText
        s"$group:$name" -> Library(version, file.split('/').last)
    }.toMap
  }

  private val FromMaven = "pkg:maven/([^/]+)/([^@]+)@([^?]+).*".r
}
