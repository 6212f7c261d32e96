package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** Which Spark-HPC it is stands where Spark says which Spark it is. */
class VersionSuite extends AnyFunSuite with Scratch {

  private def lines(run: Run): Seq[String] =
    run.err.linesIterator.filter(_.startsWith("Spark-HPC ")).toSeq

  for (command <- Seq("spark-submit", "spark-shell", "pyspark", "spark-sql"))
    test(s"$command --version says both versions") {
      val run = Run(Seq(Dist.patched.bin(command), "--version"), scratch)
      assert(run.exit == 0, run)
      assert(lines(run) == Seq(s"Spark-HPC ${Dist.version} in ${Dist.patched.home}"), run)
      assert(run.err.contains(s"version ${Dist.sparkVersion}"), run)
    }

  test("stock Spark says its own alone") {
    val run = Run(Seq(Dist.stock.bin("spark-submit"), "--version"), scratch)
    assert(run.exit == 0 && run.err.contains(s"version ${Dist.sparkVersion}"), run)
    assert(lines(run).isEmpty, run)
  }

  test("a program's own --version is the program's") {
    val submit = Seq(
      Dist.patched.bin("spark-submit"),
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
