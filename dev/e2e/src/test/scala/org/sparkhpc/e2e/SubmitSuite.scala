package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** spark-submit and run-example in a path with a space: on executors, and their exit codes. */
class SubmitSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("a distribution"))
  private lazy val app = AppJar.in(scratch).toString

  private def submit(mainClass: String, args: String*): Run =
    Run(
      Seq(dist.bin("spark-submit"), "--master", "local[1]", "--class", mainClass, app) ++ args,
      scratch
    )

  test(
    "a local cluster: both executors and the driver are patched, and have our shuffle manager"
  ) {
    val ours = "org.apache.spark.shuffle.hpc.HpcShuffleManager"
    val run = Submit(dist, Submit.LocalCluster, "ShuffleManagers").run(scratch)
    PatchReport.assertPatched(run, "0", "1", "driver")
    assert(Seq("driver", "executors").forall(Apps.result(run, _) == ours), run)
    assert(Apps.result(run, "sums") == "273 247 260", run)
  }

  test(
    "a program that isn't among the examples is one line, with the nearest and all that are there"
  ) {
    for (typed <- Seq("hpc.PageRnk", "pagerank", "org.apache.spark.examples.hpc.PageRang")) {
      val run = Run(Seq(dist.bin("run-example"), "--master", "local[1]", typed), scratch)
      assert(run.exit == 1 && run.out.isEmpty, run)
      val line = run.err.stripLineEnd
      val start = s"run-example: no program $typed: the nearest is hpc.PageRank, all are hpc.ALS "
      assert(line.linesIterator.size == 1 && line.startsWith(start), run)
      assert(line.split(' ').count(_.startsWith("hpc.")) >= 25, run)
    }
  }

  test("a program that other jars may have is looked for there; an unknown one is exit code 101") {
    val run = Run(Seq(dist.bin("run-example"), "--jars", app, "SparkPi"), scratch)
    assert(run.exit == 101 && run.err.contains("org.apache.spark.examples.SparkPi"), run)
  }

  test("a main method that fails is exit code 1") {
    val run = submit("org.sparkhpc.e2e.app.Throws")
    assert(run.exit == 1, run)
    assert(run.err.contains("thrown by main"), run)
  }

  test("an application's own exit code is passed on") {
    assert(submit("org.sparkhpc.e2e.app.Exits", "7").exit == 7)
  }

  test("an unknown option is exit code 1") {
    assert(Run(Seq(dist.bin("spark-submit"), "--no-such-option"), scratch).exit == 1)
  }
}
