package org.sparkhpc

import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

import org.objectweb.asm.ClassReader
import org.objectweb.asm.commons.{ClassRemapper, Remapper}
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.file.FilePool

/** The engine's packages know nothing of each other: what joins them is in core and in hpc-shuffle.
  *
  * That none of them knows Spark is held by the compiler: Spark isn't on its class path.
  */
class DependencyDirectionSuite extends AnyFunSuite {
  import DependencyDirectionSuite._

  test("the rule tells right from wrong") {
    assert(isForbidden(Ours + "tier/Tier", Ours + "file/FilePool"))
    assert(!isForbidden(Ours + "tier/Tier", Ours + "tier/Capacity"))
    assert(!isForbidden(Ours + "tier/Tier", "java/util/List"))
  }

  test("no class of a package refers to one of another package") {
    val from = for (file <- classFiles) yield compiled.relativize(file).toString
    for (peer <- Peers) assert(from.exists(_.startsWith(peer)), peer)
    val wrong = for {
      file <- classFiles
      from = compiled.relativize(file).toString
      to <- references(Files.readAllBytes(file)) if isForbidden(from, to)
    } yield s"$from -> $to"
    assert(wrong.isEmpty)
  }
}

private object DependencyDirectionSuite {
  private val Ours = "org/sparkhpc/"
  private val Peers = Seq("file", "tier", "container", "retain").map(Ours + _ + "/")

  private val compiled: Path =
    Paths.get(classOf[FilePool].getProtectionDomain.getCodeSource.getLocation.toURI)

  private lazy val classFiles: Seq[Path] = {
    val walk = Files.walk(compiled.resolve(Ours))
    try walk.iterator.asScala.filter(_.toString.endsWith(".class")).toList
    finally walk.close()
  }

  private def isForbidden(from: String, to: String): Boolean =
    Peers.exists(p => from.startsWith(p) && Peers.exists(q => q != p && to.startsWith(q)))

  /** Internal names of all classes that a class refers to. */
  private def references(bytes: Array[Byte]): Set[String] = {
    val seen = Set.newBuilder[String]
    val collect = new Remapper {
      override def map(name: String): String = {
        seen += name
        name
      }
    }
    new ClassReader(bytes).accept(new ClassRemapper(null, collect), ClassReader.SKIP_DEBUG)
    seen.result()
  }
}
