package org.sparkhpc.e2e

import java.nio.file.{Files, Paths}

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** PySpark: RDDs, DataFrames, UDFs in Python and in pandas, MLlib; as users start it. */
class PySparkSuite extends AnyFunSuite with Scratch {
  import PySparkSuite._

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))
  private lazy val env = Map("PYSPARK_PYTHON" -> PythonEnvironment.python)

  private def conf = Seq("spark.ui.enabled=false", "spark.sql.shuffle.partitions=4")
    .flatMap(Seq("--conf", _))

  private def options(master: String, jars: String*): Seq[String] = {
    val all = Dist.patched.examplesJar.toString +: jars
    Seq("--master", master) ++ conf ++
      Seq("--jars", all.mkString(","), "--py-files", PythonEnvironment.script("shipped.py"))
  }

  private def workload(name: String, executors: Int): Seq[String] =
    Seq(PythonEnvironment.script("workload.py"), directory(name).toString, executors.toString)

  private def submit(args: String*): Run =
    Run(
      Submit.quickly(dist) ++ Seq("--master", "local[1]") ++ args,
      scratch,
      env
    )

  /** Each executor that answered is one of the two, and keeps its blocks with our classes. */
  private def assertPatched(run: Run): Unit = {
    assert(run.exit == 0, run)
    val executors = PatchReport.of(run.out).map(_.executor)
    assert(executors.nonEmpty && executors.forall(Set("0", "1")), run)
    PatchReport.assertPatched(run, executors: _*)
    assert(PythonResults.of(run).where("where.jar") == Seq(core(Dist.version)), run)
  }

  test("spark-submit to a standalone cluster: right results, above each Python worker our jar") {
    Closing(new StandaloneCluster(dist, directory("standalone"))) { cluster =>
      val command = Submit.quickly(dist) ++ options(cluster.url) ++ workload("patched", 2)
      val run = Run(command, scratch, env)
      assertPatched(run)
      assert(PythonResults.of(run).values == expected, run)
      val logs = cluster.executorLogs
      assert(logs.size == 2)
      for (log <- logs) assert(log.contains(s"Spark-HPC ${Dist.version} is in place"), log)
    }
  }

  test("stock Spark gives the same results, from its own jar", Slow) {
    val stock = Dist.stock.placedIn(scratch.resolve("stock"))
    val command = Submit.quickly(stock) ++ options("local[2]") ++ workload("stock", 0)
    val run = Run(command, scratch, env)
    assert(run.exit == 0, run)
    PatchReport.assertStock(run, "driver")
    assert(PythonResults.of(run).values == expected, run)
    assert(PythonResults.of(run).where("where.jar") == Seq(core(Dist.sparkVersion)), run)
  }

  test("pip's pyspark runs our Spark where SPARK_HOME says so, also with a second spark-avro") {
    // As --packages would bring it, which users of the official distribution write.
    val avro = dist.home.resolve(s"jars/spark-avro_2.12-${Dist.sparkVersion}.jar")
    val second = Files.copy(avro, scratch.resolve("second-avro.jar"))
    val args = options("local-cluster[2,1,1024]", second.toString) :+ "pyspark-shell"
    val run = Run(
      PythonEnvironment.python +: workload("pip", 2) :+ "frames",
      scratch,
      env ++ Map("SPARK_HOME" -> dist.home.toString, "PYSPARK_SUBMIT_ARGS" -> args.mkString(" "))
    )
    assertPatched(run)
    val results = PythonResults.of(run)
    assert(results.values == expected.filter(_._1.matches("(frame|udf).*")), run)
    val pyspark = results.where("where.pyspark")
    assert(pyspark.nonEmpty && pyspark.forall(_.endsWith("site-packages/pyspark")), run)
  }

  test("a Python worker spills into the first tier, which is empty afterwards") {
    val memory = Paths.get("/dev/shm", scratch.getFileName.toString)
    val tiers = s"memory:$memory?capacity=100m,local:${directory("home")}"
    val run =
      submit("--conf", s"spark.hpc.scratch.tiers=$tiers", PythonEnvironment.script("spills.py"))
    assert(run.exit == 0, run)
    val results = PythonResults.of(run).values
    assert(results("sum") == (0L until 20000L).sum.toString, run)
    assert(results("places").matches(s"$memory/spark-hpc-[^ /]+/python/\\S+"), run)
    // Fails if something is left in it.
    Files.delete(memory)
  }

  test("the shell makes a session, in the Python and with the options of the environment") {
    val run = Run(
      Seq(dist.bin("pyspark"), "--master", "local[2]") ++ conf,
      scratch,
      env + ("PYSPARK_DRIVER_PYTHON_OPTS" -> "-i -q"),
      input = shell
    )
    assert(run.exit == 0, run)
    assert(run.out.contains("answer 285 org.apache.spark.storage.hpc.patch.HpcBlockManager"), run)
    assert(run.out.contains(s"python ${PythonEnvironment.python}"), run)
    val version = s"Spark-HPC ${Dist.version} in ${dist.home}"
    assert(run.err.linesIterator.count(_ == version) == 1, run)
  }

  test("a script's exit code is passed on, and a script that fails is exit code 1") {
    assert(submit(PythonEnvironment.script("ends.py"), "7").exit == 7)
    val run = submit(PythonEnvironment.script("ends.py"))
    assert(run.exit == 1, run)
    assert(run.out.contains("thrown by the script"), run)
  }
}

object PySparkSuite {

  private def core(version: String): String = s"spark-core_2.12-$version.jar"

  private val shell =
    """import sys
      |total = sc.parallelize(range(10)).map(lambda x: x * x).sum()
      |blocks = sc._jvm.org.apache.spark.SparkEnv.get().blockManager()
      |print("answer", total, blocks.getClass().getName())
      |print("python", sys.executable)
      |""".stripMargin

  private val sums = "[(0, 71071, 143), (1, 71214, 143), (2, 71357, 143)]"

  private val expected = Map(
    "rdd.counts" -> "[('word0', 100), ('word1', 100), ('word10', 100)]",
    "rdd.join" -> (Seq(0, 14, 21, 28, 35, 42, 49, 7) map { n =>
      s"('word$n', (100, ${s"word$n".length}))"
    }).mkString("[", ", ", "]"),
    "rdd.accumulator" -> "50",
    "rdd.sorted" -> "[('word0', 100), ('word1', 100)]",
    "rdd.checked" -> "169000",
    "frame.parquet" -> sums,
    "frame.avro" -> sums,
    "frame.window" -> "[997, 990, 983]",
    "frame.arrow" -> "499500",
    "udf" -> "332834500",
    "udf.pandas" -> "249750.0",
    "udf.grouped" -> "[497.0, 498.0, 499.0, 500.0, 501.0, 502.0, 499.5]",
    "udf.applied" -> "[993, 994, 995, 996, 997, 998, 999]",
    "ml.kmeans" -> "[[0.0, 0.9], [100.0, 1.0]]"
  )
}
