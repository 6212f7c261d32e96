package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** PageRank in the engine, on executors of their own, one of which is lost on the way: ranks are stock Spark's. */
class GraphXEngineSuite extends AnyFunSuite with Scratch {

  /** Vertex 5 is where one edge of each vertex with edges leads to. */
  private lazy val edges: Path = {
    val some = for (n <- 0L until 4000L) yield s"${n % 271} ${n * n % 307}"
    val hub = for (n <- 0 until 271) yield s"$n 5"
    val lines = "# a small graph" +: (some ++ hub)
    Files.write(scratch.resolve("edges.txt"), lines.mkString("\n").getBytes(UTF_8))
  }

  private def program(
      dist: Dist,
      master: String,
      name: String,
      iterations: Int,
      settings: (String, String)*
  ): Seq[String] =
    Submit.quickly(dist) ++ Seq("--master", master) ++
      (("spark.ui.enabled" -> "false") +: settings).flatMap { case (key, value) =>
        Seq("--conf", s"$key=$value")
      } ++
      Seq("--class", "org.apache.spark.examples.hpc.PageRank", Dist.patched.examplesJar.toString) ++
      Seq(
        edges.toString,
        "--iterations",
        iterations.toString,
        "--format",
        "text",
        "--output",
        scratch.resolve(name).toString
      )

  private def ranks(name: String): Map[String, Double] =
    FilesBelow(scratch.resolve(name)).filter(_.getFileName.toString.startsWith("part-"))
      .flatMap(Run.read(_).linesIterator).map(_.split('\t')).map { case Array(id, rank) =>
        id -> rank.toDouble
      }
      .toMap

  private def killedOnTheWay(name: String, settings: (String, String)*): Unit = {
    val dist = Dist.patched.placedIn(scratch.resolve(s"dist-$name"))
    Closing(Started(program(dist, Submit.LocalCluster, name, 30, settings: _*), scratch)) { run =>
      Patience.until("iteration 13")(Some(()).filter(_ =>
        run.said.contains("iteration 13 of 30, a")
      ))(run.said)
      assert(run.killOne("CoarseGrainedExecutorBackend"), run.said)
      Patience.until("end of the program", 4.minutes)(Some(()).filter(_ => !run.isAlive))(run.said)
      assert(
        run.said.contains("Lost executor") && run.said.contains("iteration 30 of 30, a"),
        run.said
      )
      // One for each iteration, and for those that are computed again since the last state that is kept twice.
      val sent =
        "missing tasks from ShuffleMapStage .* at PowerIteration".r.findAllIn(run.said).size
      info(s"${sent - 30} iterations computed again")
      assert(sent >= 30 && sent <= 40, run.said)
      // The one that takes the place of the lost one may not have begun its log.
      val logs = FilesBelow(dist.home.resolve("work")).filter(_.endsWith("stderr")).map(Run.read)
      assert(logs.count(_.contains(s"Spark-HPC ${Dist.version} ")) >= 2, logs)
    }
  }

  private lazy val expected = {
    val run = Run(program(Dist.stock, "local[2]", "stock", 30), scratch)
    assert(run.exit == 0 && !run.err.contains("PowerIteration"), run)
    assert(!run.err.contains("Spark-HPC"), run)
    ranks("stock")
  }

  private def assertSame(name: String): Unit = {
    val ours = ranks(name)
    assert(ours.size >= 271 && ours.keySet == expected.keySet)
    // Sums are made in the order in which blocks arrive, so the last digits may differ.
    for ((id, rank) <- expected)
      assert(math.abs(ours(id) - rank) <= 1e-9 * math.min(rank, 1.0), id)
    assert(math.abs(ours.values.sum - ours.size) < 1e-6)
    assert(ours.maxBy(_._2)._1 == "5")
  }

  test("an executor that is lost costs some iterations, and ranks are the same as stock Spark's") {
    killedOnTheWay("fastest")
    assertSame("fastest")
  }

  test("as well with map outputs in a shared directory", Slow) {
    killedOnTheWay(
      "global",
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> directory("shared").toString
    )
    assertSame("global")
  }

  test("the engine isn't used where it is switched off", Slow) {
    val off = "spark.hpc.graphx.engine" -> "stock"
    val run = Run(program(Dist.patched, "local[2]", "off", 5, off), scratch)
    assert(run.exit == 0 && !run.err.contains("PowerIteration"), run)
    assert(ranks("off").keySet == expected.keySet)
  }
}
