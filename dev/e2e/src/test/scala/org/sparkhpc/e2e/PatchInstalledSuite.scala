package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** An installed stock Spark, patched into a new directory. */
class PatchInstalledSuite extends AnyFunSuite with Scratch {

  private def patch(from: Path, to: Path): Run =
    Run(Seq(Dist.root.resolve("dev/patch-spark").toString, from.toString, to.toString), scratch)

  private def refused(from: Path, to: Path, message: String): Unit = {
    val run = patch(from, to)
    assert(run.exit == 1 && run.err.contains(message), run)
    assert(run.err.trim.linesIterator.size == 1, run)
  }

  /** A directory that looks like an installed Spark whose core jar has this name. */
  private def installed(core: String): Path = {
    val home = Files.createTempDirectory(scratch, "installed")
    Files.write(Files.createDirectory(home.resolve("jars")).resolve(core), Array.emptyByteArray)
    home
  }

  test("it runs patched, and the installation that it was made from is as it was") {
    val to = scratch.resolve("new/patched")
    val before = Dist.stock.jars
    val run = patch(Dist.stock.home, to)
    assert(run.exit == 0, run)
    val dist = Dist(to)
    assert(Dist.stock.jars == before)
    assert(
      dist.jars.filter(_.startsWith("spark-core_")) == Set(s"spark-core_2.12-${Dist.version}.jar")
    )
    val submit = Seq(dist.bin("spark-submit"), "--master", "local-cluster[2,1,1024]") ++
      Seq("--conf", "spark.ui.enabled=false", "--class", "org.apache.spark.examples.hpc.PatchCheck")
    val check = Run(submit ++ Seq(Dist.patched.examplesJar.toString, "--executors", "2"), scratch)
    PatchReport.assertPatched(check, "0", "1", "driver")
  }

  test("a release that isn't verified is refused") {
    refused(
      installed("spark-core_2.12-3.4.4.jar"),
      scratch.resolve("old"),
      "Spark 3.4.4 isn't verified; these are: 3.5.5,3.5.6,3.5.7"
    )
  }

  test("another Scala, a patched Spark and a directory without Spark are refused") {
    val to = scratch.resolve("none")
    refused(installed("spark-core_2.13-3.5.7.jar"), to, "built for Scala 2.12")
    refused(Dist.patched.home, to, "is patched already")
    refused(directory("empty"), to, "is no Spark")
    assert(!Files.exists(to))
  }

  test("an existing directory, and one inside the installation, are refused") {
    val from = installed("spark-core_2.12-3.5.7.jar")
    refused(from, directory("there"), "exists: name a directory that doesn't")
    refused(from, from.resolve("inside"), "which is never written to")
  }
}
