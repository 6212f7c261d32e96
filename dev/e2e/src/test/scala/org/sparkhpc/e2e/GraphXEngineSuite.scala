package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite

/** PageRank in the engine, on executors of their own, one of which is lost on the way. */
class GraphXEngineSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private lazy val edges: Path = {
    val lines = for (n <- 0L until 4000L) yield s"${n % 271} ${n * n % 307}"
    Files.write(scratch.resolve("edges.txt"), lines.mkString("\n").getBytes(UTF_8))
  }

  private def program(name: String, settings: (String, String)*): Seq[String] =
    Submit.quickly(dist) ++ Seq("--master", "local-cluster[2,1,1024]") ++
      (("spark.ui.enabled" -> "false") +: settings).flatMap { case (key, value) =>
        Seq("--conf", s"$key=$value")
      } ++
      Seq("--class", "org.apache.spark.examples.hpc.PageRank", Dist.patched.examplesJar.toString) ++
      Seq(
        edges.toString,
        "--iterations",
        "30",
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

  private def killedOnTheWay(name: String, settings: (String, String)*): Unit =
    Closing(
      Started(program(name, ("spark.hpc.graphx.engine" -> "auto") +: settings: _*), scratch)
    ) { run =>
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
    }

  private lazy val expected = {
    val run = Run(program("stock", "spark.hpc.graphx.engine" -> "stock"), scratch)
    assert(run.exit == 0 && !run.err.contains("PowerIteration"), run)
    ranks("stock")
  }

  private def assertSame(name: String): Unit = {
    val ours = ranks(name)
    assert(ours.keySet == expected.keySet)
    for ((id, rank) <- expected) assert(math.abs(ours(id) - rank) <= 1e-9 * rank, id)
  }

  test("an executor that is lost costs some iterations, and changes no rank") {
    killedOnTheWay("fastest")
    assertSame("fastest")
  }

  test("as well with map outputs in a shared directory") {
    killedOnTheWay(
      "global",
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> directory("shared").toString
    )
    assertSame("global")
  }
}
