package org.sparkhpc.e2e

import java.nio.file.Path

import org.scalatest.funsuite.AnyFunSuite

/** The lineage that executors see, of whole programs, is Spark's own. */
class LineageSuite extends AnyFunSuite with Scratch {

  private def submit(name: String, program: String*): Run = {
    val settings = Seq(
      "spark.ui.enabled" -> "false",
      "spark.hpc.retention.trace" -> directory(name).toString,
      "spark.lineage.truth" -> truth(name).toString,
      "spark.extraListeners" -> "org.sparkhpc.apps.LineageTruth",
      "spark.sql.shuffle.partitions" -> "4",
      // GraphX's own PageRank, which has more RDDs.
      "spark.hpc.graphx.engine" -> "stock"
    )
    val options = settings.flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
    val command = Seq(Dist.patched.bin("spark-submit"), "--master", "local[2]") ++ options ++
      Seq("--driver-class-path", Apps.jar.toString)
    val run = Run(command ++ program, scratch, Map("PYSPARK_PYTHON" -> python))
    assert(run.exit == 0, run)
    run
  }

  private lazy val python = PythonEnvironment.python

  private def truth(name: String): Path = scratch.resolve(s"$name.truth")

  /** At least 99% of the true parents, and nothing that is none. */
  private def compare(name: String, atLeast: Int): Unit = {
    val traces = directory(name).toFile.listFiles.map(_.toString)
    assert(traces.length == 1)
    val classes = Seq(Apps.jar, Dist.patched.examplesJar, Dist.patched.home.resolve("jars/*"))
    val command = Seq("java", "-cp", classes.mkString(":"), "org.sparkhpc.apps.CompareLineage")
    val found = Run(command ++ Seq(truth(name).toString, traces.head), scratch)
    assert(found.exit == 0, found)
    def number(name: String) = Apps.result(found, name).toInt
    info(s"$name: ${number("seen")} seen, ${number("missed")} missed, ${number("others")} others")
    assert(number("seen") >= atLeast, found)
    assert(number("missed") * 99 <= number("seen"), found)
    assert(number("others") == 0, found)
  }

  private def example(program: String, args: String*): Seq[String] =
    Seq("--class", s"org.apache.spark.examples.hpc.$program", Dist.patched.examplesJar.toString) ++
      args

  test("PageRank") {
    val edges = scratch.resolve("edges").toString
    submit("rmat", example("Rmat", "--scale", "8", "--output", edges): _*)
    submit("pagerank", example("PageRank", "--iterations", "6", "--partitions", "4", edges): _*)
    compare("pagerank", atLeast = 40)
  }

  test("ConnectedComponents") {
    submit("components", example("ConnectedComponents", "--scale", "8", "--partitions", "4"): _*)
    compare("components", atLeast = 40)
  }

  test("KMeans") {
    submit("kmeans", example("KMeans", "--points", "2000", "--partitions", "4"): _*)
    compare("kmeans", atLeast = 4)
  }

  test("ALS") {
    submit("als", example("ALS", "--users", "200", "--items", "100", "--blocks", "4"): _*)
    compare("als", atLeast = 4)
  }

  test("RDDs and frames in Python, which reads its parents in another thread") {
    val run = submit("python", PythonEnvironment.script("lineage.py"))
    assert(Seq("both", "sums", "frame").map(Apps.result(run, _)) == Seq("500", "499507", "143"))
    compare("python", atLeast = 16)
  }
}
