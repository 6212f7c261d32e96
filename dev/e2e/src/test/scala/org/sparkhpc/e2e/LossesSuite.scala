package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** Executors, workers and files that are lost in the middle of a shuffle, on a standalone cluster. */
class LossesSuite extends AnyFunSuite with Scratch {
  import LossesSuite._

  private def losing(dist: Dist, when: String, what: String, shuffle: Seq[(String, String)]): Run =
    Closing(new StandaloneCluster(dist, directory(s"cluster-${shuffle.size}-$when-$what"))) {
      cluster =>
        val shared = directory(s"shared-${shuffle.size}-$when-$what")
        val settings = shuffle.map { case (key, value) =>
          key -> value.replace("{shared}", shared.toString)
        } :+ ("spark.excludeOnFailure.enabled" -> "true")
        val run =
          Submit(dist, cluster.url, "Losses", settings, Seq(when, what, shared.toString)).run(
            scratch
          )
        assert(run.exit == 0, run)
        assert(Apps.result(run, "sums") == sums, run)
        assertEmpty(shared)
        run
    }

  /** But for the note that the loss happened. */
  private def assertEmpty(shared: Path): Unit =
    Closing(Files.walk(shared)) { files =>
      assert(files.filter(Files.isRegularFile(_)).noneMatch(_.getFileName.toString != "lost"))
    }

  for (when <- Seq("map", "between", "reduce"); what <- Seq("executor", "worker"))
    test(s"global: $what lost, $when: no map task runs again, and no node is excluded") {
      val run = losing(Dist.patched, when, what, global)
      assert(Apps.result(run, "maps").toInt == Maps, run)
      assert(Apps.result(run, "outputs").toInt >= Maps, run)
      assert(Apps.result(run, "excluded").toInt == 0, run)
    }

  test("global: a damaged file makes the map tasks of its executor run again, and no others") {
    val run = losing(Dist.patched, "between", "file", global)
    val again = Apps.result(run, "maps").toInt - Maps
    assert(again > 0 && again < Maps, run)
    assert(Apps.result(run, "outputs").toInt == Maps + again, run)
  }

  test("fastest: what is lost with an executor is computed again, as in stock Spark") {
    val fastest = losing(Dist.patched, "between", "executor", Seq(manager))
    val stock = losing(Dist.stock, "between", "executor", Nil)
    for (run <- Seq(fastest, stock)) {
      val again = Apps.result(run, "maps").toInt - Maps
      assert(again > 0 && again < Maps, run)
      assert(Apps.result(run, "outputs").toInt == 0, run)
    }
  }
}

object LossesSuite {
  private val Maps = 16

  private val manager =
    "spark.shuffle.manager" -> "org.apache.spark.shuffle.hpc.HpcShuffleManager"

  private val global = Seq(
    manager,
    "spark.hpc.shuffle.placement" -> "global",
    "spark.hpc.shuffle.directory" -> "{shared}"
  )

  /** Of the numbers below 16,000, by their remainder of 100. */
  private val sums = (0L until 100L)
    .map(rest => (rest, (rest until 16000L by 100L).sum))
    .sorted.mkString(" ")
}
