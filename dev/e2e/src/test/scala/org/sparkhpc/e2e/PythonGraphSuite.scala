package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** `spark_hpc.graph`, from DataFrames of Python programs. */
class PythonGraphSuite extends AnyFunSuite with Scratch {

  private def submit(dist: Dist, master: String, args: String*): Run = Run(
    Submit.quickly(dist) ++ Seq("--master", master, "--conf", "spark.ui.enabled=false") ++
      Seq(
        "--conf",
        "spark.sql.shuffle.partitions=4",
        PythonEnvironment.script("graphs.py")
      ) ++ args,
    scratch,
    Map(
      "PYSPARK_PYTHON" -> PythonEnvironment.python,
      "PYTHONPATH" -> Dist.patched.home.resolve("site/lib").toString,
      "PYTHONDONTWRITEBYTECODE" -> "1"
    )
  )

  private def assertRefused(run: Run, messages: String*): Unit = {
    assert(run.exit == 1, run)
    // spark-submit hands on what Python writes to either stream.
    val said = run.out.linesIterator.filter(_.startsWith("spark_hpc: ")).toSeq
    assert(said.size == messages.size, run)
    for ((line, message) <- said.zip(messages))
      assert(line.startsWith(s"spark_hpc: graph.$message"), run)
    assert(!run.out.contains("Traceback"), run)
  }

  test("ranks, components and paths, with an executor of its own; mistakes are refused in a line") {
    val dist = Dist.patched.placedIn(scratch.resolve("dist"))
    val mistakes = Seq(
      "null" -> "connected_components: column 'dst' is null in 1 row: leave such",
      "column" -> "pagerank: [UNRESOLVED_COLUMN.WITH_SUGGESTION] A column",
      "both" -> "pagerank: both iterations and tolerance are given: leave one",
      "frame" -> "pagerank: edges is a list: give a DataFrame of a SparkSession",
      "number" -> "pagerank: reset is 'half': write a number",
      "vertex" -> "shortest_paths: landmarks: no edge has the vertex 99: name one"
    )
    // Its last mistake ends the program.
    val run = submit(dist, "local-cluster[1,2,1024]", mistakes.map(_._1): _*)
    assertRefused(run, mistakes.map(_._2): _*)
    val results = run.out.linesIterator.filter(_.startsWith("result ")).map(_.drop(7)).toSeq
    assert(
      results == Seq(
        "ranks True",
        "settled True",
        "components True",
        "paths ['id', 'landmark', 'distance'] [Row(id='v00', landmark='v00', distance=0)]",
        "several [Row(source=0, sum(pagerank)=1.0), Row(source=1, sum(pagerank)=1.0)]"
      ),
      run
    )
  }

  test("stock Spark is refused") {
    val run = submit(Dist.stock.placedIn(scratch.resolve("stock")), "local[1]")
    assertRefused(run, "pagerank: this Spark has no spark-hpc-sql jar: use that of the")
  }
}
