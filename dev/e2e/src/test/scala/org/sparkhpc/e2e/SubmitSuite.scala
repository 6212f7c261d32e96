package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** spark-submit in each of its modes, and its exit codes. */
class SubmitSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))
  private lazy val app = AppJar.in(scratch).toString

  private def patchCheck(master: String, args: String*): Run = {
    val submit = Seq(
      dist.bin("spark-submit"),
      "--master",
      master,
      "--conf",
      "spark.ui.enabled=false",
      "--class",
      "org.apache.spark.examples.hpc.PatchCheck"
    )
    Run(submit ++ Seq(dist.examplesJar.toString) ++ args, scratch)
  }

  private def submit(mainClass: String, args: String*): Run =
    Run(
      Seq(dist.bin("spark-submit"), "--master", "local[1]", "--class", mainClass, app) ++ args,
      scratch
    )

  test("local mode: the only process is patched") {
    PatchReport.assertPatched(patchCheck("local[2]"), "driver")
  }

  test("a local cluster: both executors and the driver are patched") {
    val run = patchCheck("local-cluster[2,1,1024]", "--executors", "2")
    PatchReport.assertPatched(run, "0", "1", "driver")
  }

  test("a standalone cluster: both executors and the driver are patched") {
    Closing(new StandaloneCluster(dist, directory("standalone"))) { cluster =>
      val run = patchCheck(cluster.url, "--executors", "2")
      PatchReport.assertPatched(run, "0", "1", "driver")
    }
  }

  test("run-example finds the examples") {
    val run = Run(
      Seq(dist.bin("run-example"), "--master", "local[1]", "hpc.PatchCheck"),
      scratch
    )
    PatchReport.assertPatched(run, "driver")
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

  test("a program that other jars may have is looked for there") {
    val run = Run(Seq(dist.bin("run-example"), "--jars", app, "SparkPi"), scratch)
    assert(run.exit == 101 && run.err.contains("org.apache.spark.examples.SparkPi"), run)
  }

  test("an unknown class is exit code 101") {
    val run = submit("nowhere.Nothing")
    assert(run.exit == 101, run)
    assert(run.err.contains("nowhere.Nothing"), run)
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
