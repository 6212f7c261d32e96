package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite

/** PageRank in a standalone cluster: the patched and the stock distribution give the same ranks. */
class PageRankSuite extends AnyFunSuite with Scratch {

  private lazy val edges: Path = {
    val file = scratch.resolve("edges.txt")
    val lines = for (v <- 1 to 200; w <- Seq(v * 7 % 200, v / 2, 1) if v != w) yield s"$v\t$w"
    Files.write(file, ("# a small graph\n" + lines.mkString("\n")).getBytes(UTF_8))
    file
  }

  private def ranks(dist: Dist, name: String): Map[String, Double] =
    Closing(new StandaloneCluster(dist, directory(name))) { cluster =>
      val output = scratch.resolve(s"$name-ranks")
      val run = Run(
        Submit.quickly(dist) ++ Seq(
          "--master",
          cluster.url,
          "--conf",
          "spark.ui.enabled=false",
          "--class",
          "org.apache.spark.examples.hpc.PageRank",
          Dist.patched.examplesJar.toString,
          edges.toString,
          "--iterations",
          "5",
          "--output",
          output.toString,
          "--format",
          "text"
        ),
        scratch
      )
      assert(run.exit == 0, run)
      assert(cluster.executorLogs.size == 2)
      val patched = cluster.executorLogs.count(_.contains(s"Spark-HPC ${Dist.version} "))
      assert(patched == (if (name == "patched") 2 else 0))
      parts(output).flatMap(Run.read(_).linesIterator).map(_.split('\t')).map {
        case Array(id, rank) => id -> rank.toDouble
      }.toMap
    }

  private def parts(output: Path): Seq[Path] =
    Closing(Files.list(output))(_.iterator().asScala.toList)
      .filter(_.getFileName.toString.startsWith("part-"))

  test("ranks are the same as stock Spark's") {
    val patched = ranks(Dist.patched, "patched")
    val stock = ranks(Dist.stock, "stock")
    assert(patched.size >= 200 && patched.keySet == stock.keySet)
    // Sums are made in the order in which blocks arrive, so the last digits may differ.
    for ((id, rank) <- stock) assert(math.abs(patched(id) - rank) < 1e-9, id)
    assert(math.abs(patched.values.sum - patched.size) < 1e-6)
    assert(patched.maxBy(_._2)._1 == "1")
  }
}
