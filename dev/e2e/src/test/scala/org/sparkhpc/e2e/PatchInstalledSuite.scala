package org.sparkhpc.e2e

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.zip.ZipFile

import org.scalatest.funsuite.AnyFunSuite

/** An installed stock Spark, patched into a new directory by the distribution's own command, without a source tree. */
class PatchInstalledSuite extends AnyFunSuite with Scratch {

  private def patch(from: Path, to: Path): Run =
    Run(Seq(Dist.patched.sbin("hpc-patch"), from.toString, to.toString), scratch)

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
    for (module <- Dist.PatchedModules)
      assert(
        dist.jars.filter(_.startsWith(module + "_")) == Set(s"${module}_2.12-${Dist.version}.jar")
      )
    assertRunsPatched(dist)
    // Of the same release, it is woven of the same, but for what Maven says of a jar.
    for (module <- Dist.PatchedModules) assert(woven(dist, module) == woven(Dist.patched, module))
  }

  private def assertRunsPatched(dist: Dist): Unit = {
    val submit = Seq(dist.bin("spark-submit"), "--master", "local-cluster[1,2,1024]") ++
      Seq("--conf", "spark.ui.enabled=false", "--class", "org.apache.spark.examples.hpc.PatchCheck")
    val check = Run(submit ++ Seq(Dist.patched.examplesJar.toString, "--executors", "1"), scratch)
    PatchReport.assertPatched(check, "0", "driver")
  }

  test("the official package, as pip installs it, runs patched") {
    val to = scratch.resolve("official")
    val run = patch(PythonEnvironment.spark.home, to)
    assert(run.exit == 0, run)
    assertRunsPatched(Dist(to))
    for (module <- Dist.PatchedModules)
      assert(ofStock(woven(Dist(to), module)) == ofStock(woven(Dist.patched, module)))
  }

  /** What the manifest says apart from the jar's own hash: the package's jar holds the same classes as Maven Central's,
    * but isn't the same file.
    */
  private def ofStock(manifest: Seq[String]): Seq[String] =
    manifest.filterNot(_.startsWith("stock "))

  private def woven(dist: Dist, module: String): Seq[String] = {
    val jar = dist.home.resolve(s"jars/${module}_2.12-${Dist.version}.jar").toFile
    Closing(new ZipFile(jar)) { zip =>
      val manifest = zip.getInputStream(zip.getEntry("META-INF/spark-hpc/weave.manifest"))
      new String(manifest.readAllBytes(), UTF_8).linesIterator.toSeq
    }
  }

  test("dev/make-distribution.sh --patch does the same with what is built") {
    // An installation that is no more than the jar that is woven.
    val core = s"spark-core_2.12-${Dist.sparkVersion}.jar"
    val from = scratch.resolve("core alone")
    Files.createSymbolicLink(
      Files.createDirectories(from.resolve("jars")).resolve(core),
      Dist.stock.home.resolve("jars").resolve(core)
    )
    val to = scratch.resolve("by the build")
    val make = Dist.root.resolve("dev/make-distribution.sh").toString
    val run =
      Run(Seq(make, "--patch", from.toString, "--to", to.toString, "--no-build"), scratch)
    assert(run.exit == 0, run)
    assert(woven(Dist(to), "spark-core") == woven(Dist.patched, "spark-core"))
  }

  test("a release that isn't verified is refused") {
    refused(
      installed("spark-core_2.12-3.4.4.jar"),
      scratch.resolve("old"),
      "Spark 3.4.4 isn't verified; these are: 3.5.5,3.5.6,3.5.7,3.5.8,3.5.9"
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
