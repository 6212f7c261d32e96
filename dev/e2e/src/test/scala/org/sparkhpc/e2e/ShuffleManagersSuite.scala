package org.sparkhpc.e2e

import java.nio.file.{Path, Paths}

import org.scalatest.funsuite.AnyFunSuite

/** Shuffle managers of other projects, as their published jars, in the processes of an application. Celeborn's is
  * constructed in every process, Uniffle's on the driver; no service of theirs runs, so the shuffle itself is Spark's
  * own, to which they fall back. [[SubmitSuite]] has an application that names none.
  */
class ShuffleManagersSuite extends AnyFunSuite with Scratch {
  import ShuffleManagersSuite._

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  /** An application for each, in one driver, with one executor. */
  private lazy val runs: Map[String, Run] = {
    val jars = Seq("celeborn", "uniffle").map(jar).mkString(":")
    // A shuffle manager is made before an application's own jars are there.
    InTurn(scratch, Seq("--conf", s"spark.driver.extraClassPath=$jars"))(
      "celeborn" -> submit(
        "celeborn",
        Celeborn,
        "spark.celeborn.client.spark.shuffle.fallback.policy" -> "ALWAYS"
      ),
      "uniffle" -> submit(
        "uniffle",
        Uniffle,
        // It must be named; without an access id nobody asks it.
        "spark.rss.coordinator.quorum" -> "127.0.0.1:1"
      )
    )
  }

  private def submit(name: String, manager: String, settings: (String, String)*): Submit = {
    val all = Seq(
      "spark.shuffle.manager" -> manager,
      "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer",
      "spark.executor.extraClassPath" -> jar(name).toString
    ) ++ settings
    Submit(dist, "local-cluster[1,2,1024]", "ShuffleManagers", all, Seq("1"))
  }

  private def jar(name: String): Path =
    Paths.get(Dist.property("shuffle.managers.dir")).resolve(name + ".jar").toRealPath()

  test("Celeborn's is in place everywhere and falls back to Spark's shuffle") {
    val run = runs("celeborn")
    PatchReport.assertPatched(run, "0", "driver")
    assert(Apps.result(run, "driver") == Celeborn, run)
    assert(Apps.result(run, "executors") == Celeborn, run)
    assert(Apps.result(run, "sums") == "273 247 260", run)
  }

  test("Uniffle's is in place on the driver, and has executors use Spark's shuffle") {
    val run = runs("uniffle")
    PatchReport.assertPatched(run, "0", "driver")
    assert(Apps.result(run, "driver") == Uniffle, run)
    // Its delegation is decided on the driver, which rewrites the setting that executors get.
    assert(Apps.result(run, "executors") == "org.apache.spark.shuffle.sort.SortShuffleManager", run)
    assert(Apps.result(run, "sums") == "273 247 260", run)
  }
}

object ShuffleManagersSuite {
  private val Celeborn = "org.apache.spark.shuffle.celeborn.SparkShuffleManager"
  private val Uniffle = "org.apache.spark.shuffle.DelegationRssShuffleManager"
}
