package org.sparkhpc.e2e

import java.nio.file.{Path, Paths}

import org.scalatest.funsuite.AnyFunSuite

/** Which shuffle manager the processes of an application have: ours, or one of other projects, as their
  * published jars. Celeborn's is constructed in every process, Uniffle's on the driver; no service of theirs
  * runs, so the shuffle itself is Spark's own, to which they fall back.
  */
class ShuffleManagersSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def run(jar: Path, manager: String, settings: (String, String)*): Run =
    run(Seq(
      "spark.shuffle.manager" -> manager,
      "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer",
      // A shuffle manager is made before an application's own jars are there.
      "spark.driver.extraClassPath" -> jar.toString,
      "spark.executor.extraClassPath" -> jar.toString
    ) ++ settings)

  private def run(settings: Seq[(String, String)]): Run =
    Submit(dist, Submit.LocalCluster, "ShuffleManagers", settings).run(scratch)

  private def jar(name: String): Path =
    Paths.get(Dist.property("shuffle.managers.dir")).resolve(name + ".jar").toRealPath()

  test("an application that names none has ours in each process") {
    val ours = "org.apache.spark.shuffle.hpc.HpcShuffleManager"
    val run = this.run(Nil)
    PatchReport.assertPatched(run, "0", "1", "driver")
    assert(Seq("driver", "executors").forall(Apps.result(run, _) == ours), run)
    assert(Apps.result(run, "sums") == "273 247 260", run)
  }

  test("Celeborn's is in place everywhere and falls back to Spark's shuffle") {
    val manager = "org.apache.spark.shuffle.celeborn.SparkShuffleManager"
    val run = this.run(
      jar("celeborn"),
      manager,
      "spark.celeborn.client.spark.shuffle.fallback.policy" -> "ALWAYS"
    )
    PatchReport.assertPatched(run, "0", "1", "driver")
    assert(Apps.result(run, "driver") == manager, run)
    assert(Apps.result(run, "executors") == manager, run)
    assert(Apps.result(run, "sums") == "273 247 260", run)
  }

  test("Uniffle's is in place on the driver, and has executors use Spark's shuffle") {
    val manager = "org.apache.spark.shuffle.DelegationRssShuffleManager"
    val run = this.run(
      jar("uniffle"),
      manager,
      // It must be named; without an access id nobody asks it.
      "spark.rss.coordinator.quorum" -> "127.0.0.1:1"
    )
    PatchReport.assertPatched(run, "0", "1", "driver")
    assert(Apps.result(run, "driver") == manager, run)
    // Its delegation is decided on the driver, which rewrites the setting that executors get.
    assert(Apps.result(run, "executors") == "org.apache.spark.shuffle.sort.SortShuffleManager", run)
    assert(Apps.result(run, "sums") == "273 247 260", run)
  }
}
