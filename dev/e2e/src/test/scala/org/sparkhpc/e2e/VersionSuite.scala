package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** Which Spark-HPC it is stands where Spark says which Spark it is. */
class VersionSuite extends AnyFunSuite with Scratch {

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def lines(run: Run): Seq[String] =
    run.err.linesIterator.filter(_.startsWith("Spark-HPC ")).toSeq

  // LaunchSuite has spark-submit, which these call.
  for (command <- Seq("spark-shell", "pyspark", "spark-sql"))
    test(s"$command --version says both versions") {
      val run = Run(Seq(dist.bin(command), "--version"), scratch)
      assert(run.exit == 0, run)
      assert(lines(run) == Seq(s"Spark-HPC ${Dist.version} in ${dist.home}"), run)
      assert(run.err.contains(s"version ${Dist.sparkVersion}"), run)
    }

  test("stock Spark says its own alone") {
    val stock = Dist.stock.placedIn(scratch.resolve("stock"))
    val run = Run(Seq(stock.bin("spark-submit"), "--version"), scratch)
    assert(run.exit == 0 && run.err.contains(s"version ${Dist.sparkVersion}"), run)
    assert(lines(run).isEmpty, run)
  }

  test("a program's own --version is the program's") {
    val submit = Seq(
      dist.bin("spark-submit"),
      "--master",
      "local[1]",
      "--conf",
      "spark.ui.enabled=false"
    )
    val app = Seq("--class", "org.sparkhpc.e2e.app.Echo", AppJar.in(scratch).toString, "--version")
    val run = Run(submit ++ app, scratch)
    assert(run.exit == 0 && run.out == "[--version]", run)
    assert(lines(run).isEmpty, run)
  }
}
