package org.apache.spark.hpc

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.objectweb.asm.ClassReader
import org.objectweb.asm.commons.{ClassRemapper, Remapper}
import org.scalatest.funsuite.AnyFunSuite

/** Dependencies run one way: `org.apache.spark.hpc` knows nothing of Spark, its `file`, `tier` and
  * `retain` know nothing of each other, and only `org.apache.spark.storage` joins them to Spark.
  */
class DependencyDirectionSuite extends AnyFunSuite {
  private val Spark = "org/apache/spark/"
  private val Ours = "org/apache/spark/hpc/"
  private val Peers = Seq("file", "tier", "retain").map(Ours + _ + "/")

  private def classesBelow(folder: Path): Seq[Path] = {
    val walk = Files.walk(folder)
    try walk.iterator.asScala.filter(_.toString.endsWith(".class")).toList
    finally walk.close()
  }

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

  private def forbidden(from: String, to: String): Boolean = {
    val outside = to.startsWith(Spark) && !to.startsWith(Ours)
    val peer =
      Peers.exists(p => from.startsWith(p) && Peers.exists(q => q != p && to.startsWith(q)))
    outside || peer
  }

  test("the rule tells right from wrong") {
    assert(forbidden(Ours + "Build", Spark + "SparkConf"))
    assert(forbidden(Ours + "tier/Tier", Ours + "file/FilePool"))
    assert(!forbidden(Ours + "tier/Tier", Ours + "tier/Capacity"))
    assert(!forbidden(Ours + "tier/Tier", "java/util/List"))
  }

  test(
    "no class of org.apache.spark.hpc refers to Spark or, across file, tier and retain, to a peer"
  ) {
    val classes = classesBelow(StockAndWoven.woven.resolve(Ours))
    assert(classes.nonEmpty)
    val wrong = for {
      file <- classes
      from = StockAndWoven.woven.relativize(file).toString
      to <- references(Files.readAllBytes(file)) if forbidden(from, to)
    } yield s"$from -> $to"
    assert(wrong.isEmpty)
  }
}
