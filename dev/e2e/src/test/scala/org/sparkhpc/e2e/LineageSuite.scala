package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** The lineage that executors see, of whole programs, is Spark's own. */
class LineageSuite extends AnyFunSuite with Scratch {

  private val settings = Seq(
    "spark.sql.shuffle.partitions" -> "4",
    // GraphX's own PageRank, which has more RDDs.
    "spark.hpc.graphx.engine" -> "stock"
  )

  /** All examples, one after the other. */
  private lazy val examples: Run = over(
    Submit(Dist.patched, "local[2]", "Lineages", settings, Seq(scratch.toString)).run(scratch)
  )

  private def over(run: Run): Run = {
    assert(run.exit == 0, run)
    run
  }

  /** At least 99% of the true parents, and nothing that is none. */
  private def assertSeen(found: Run, name: String, atLeast: Int): Unit = {
    def number(what: String): Int = Apps.result(found, s"$name.$what").toInt
    info(s"$name: ${number("seen")} seen, ${number("missed")} missed, ${number("others")} others")
    assert(number("seen") >= atLeast, found)
    assert(number("missed") * 99 <= number("seen"), found)
    assert(number("others") == 0, found)
  }

  test("PageRank")(assertSeen(examples, "pagerank", atLeast = 40))

  test("ConnectedComponents")(assertSeen(examples, "components", atLeast = 40))

  test("KMeans")(assertSeen(examples, "kmeans", atLeast = 4))

  test("ALS")(assertSeen(examples, "als", atLeast = 4))

  test("RDDs and frames in Python, which reads its parents in another thread") {
    val truth = scratch.resolve("python.truth").toString
    val traces = scratch.resolve("python").toString
    val watched = settings ++ Seq(
      "spark.ui.enabled" -> "false",
      "spark.extraListeners" -> "org.sparkhpc.apps.LineageTruth",
      "spark.lineage.truth" -> truth,
      "spark.hpc.retention.trace" -> traces
    )
    // Behind the class data, which has to be the first.
    val first = ClassData.of(Dist.patched).map(_.classPath).toSeq :+ Apps.jar.toString
    val command = Submit.quickly(Dist.patched) ++
      Seq("--master", "local[2]", "--driver-class-path", first.mkString(":")) ++
      watched.flatMap { case (key, value) => Seq("--conf", s"$key=$value") } :+
      PythonEnvironment.script("lineage.py")
    val run = over(Run(command, scratch, Map("PYSPARK_PYTHON" -> PythonEnvironment.python)))
    assert(Seq("both", "sums", "frame").map(Apps.result(run, _)) == Seq("500", "499507", "143"))

    val classes = Seq(Apps.jar, Dist.patched.examplesJar, Dist.patched.home.resolve("jars/*"))
    val compare =
      Seq("java", "-cp", classes.mkString(":"), "org.sparkhpc.apps.CompareLineage", "python")
    assertSeen(over(Run(compare ++ Seq(truth, traces), scratch)), "python", atLeast = 16)
  }
}
