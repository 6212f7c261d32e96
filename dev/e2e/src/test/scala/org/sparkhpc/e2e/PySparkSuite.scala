package org.sparkhpc.e2e

import java.nio.file.{Files, Paths}

import scala.util.Try

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

  private def workload(name: String, executors: Int, parts: String, code: Int): Seq[String] = Seq(
    PythonEnvironment.script("workload.py"),
    directory(name).toString,
    executors.toString,
    parts,
    code.toString
  )

  /** A cluster for two executors, with a process less than one of two workers. */
  private def oneWorker(): StandaloneCluster = new StandaloneCluster(
    dist,
    directory("standalone"),
    workers = 1,
    settings = Map("SPARK_WORKER_CORES" -> "2", "SPARK_WORKER_MEMORY" -> "2g")
  )

  /** Each executor that answered is one of these, and keeps its blocks with our classes. */
  private def assertPatched(run: Run, all: String*): Unit = {
    val executors = PatchReport.of(run.out).map(_.executor)
    assert(executors.nonEmpty && executors.forall(all.contains(_)), run)
    // The exit code is asserted by the tests.
    PatchReport.assertPatched(run.copy(exit = 0), executors: _*)
    assert(PythonResults.of(run).where("where.jar") == Seq(core), run)
  }

  test(
    "spark-submit to a standalone cluster: right results, above each Python worker our jar; " +
      "a script's exit code is passed on"
  ) {
    Closing(oneWorker()) { cluster =>
      val each = Seq("--conf", "spark.executor.cores=1")
      val command =
        Submit.quickly(dist) ++ options(cluster.url) ++ each ++ workload("patched", 2, "all", 7)
      val run = Run(command, scratch, env)
      assert(run.exit == 7, run)
      assertPatched(run, "0", "1")
      assert(PythonResults.of(run).values == expected, run)
      val logs = cluster.executorLogs
      assert(logs.size == 2)
      for (log <- logs) assert(log.contains(s"Spark-HPC ${Dist.version} is in place"), log)
    }
  }

  test(
    "pip's pyspark runs our Spark where SPARK_HOME says so, also with a second spark-avro",
    Slow
  ) {
    // As --packages would bring it, which users of the official distribution write.
    val avro = dist.home.resolve(s"jars/spark-avro_2.12-${Dist.sparkVersion}.jar")
    val second = Files.copy(avro, scratch.resolve("second-avro.jar"))
    val args = options("local-cluster[1,2,1024]", second.toString) :+ "pyspark-shell"
    val run = Run(
      PythonEnvironment.python +: workload("pip", 1, "frames", 0),
      scratch,
      env ++ Map("SPARK_HOME" -> dist.home.toString, "PYSPARK_SUBMIT_ARGS" -> args.mkString(" "))
    )
    assert(run.exit == 0, run)
    assertPatched(run, "0")
    val results = PythonResults.of(run)
    assert(results.values == expected.filter(_._1.matches("(frame|udf).*")), run)
    val pyspark = results.where("where.pyspark")
    assert(pyspark.nonEmpty && pyspark.forall(_.endsWith("site-packages/pyspark")), run)
  }

  test(
    "the shell makes a session, in the Python and with the options of the environment; " +
      "a Python worker spills into the first tier, which is empty afterwards"
  ) {
    val memory = Paths.get("/dev/shm", scratch.getFileName.toString)
    val tiers = s"memory:$memory?capacity=100m,local:${directory("home")}"
    val run = Run(
      Seq(dist.bin("pyspark"), "--master", "local[2]") ++ conf ++
        Seq("--conf", s"spark.hpc.scratch.tiers=$tiers"),
      scratch,
      env + ("PYSPARK_DRIVER_PYTHON_OPTS" -> "-i -q"),
      input = shell
    )
    assert(run.exit == 0, run)
    assert(run.out.contains("answer 285 org.apache.spark.storage.hpc.patch.HpcBlockManager"), run)
    assert(run.out.contains(s"python ${PythonEnvironment.python}"), run)
    val version = s"Spark-HPC ${Dist.version} in ${dist.home}"
    assert(run.err.linesIterator.count(_ == version) == 1, run)
    // A prompt may be before a result.
    val results = PythonResults.of(run.copy(out = run.out.replace(">>> ", ""))).values
    assert(results("sum") == (0L until 20000L).sum.toString, run)
    assert(results("places").matches(s"$memory/spark-hpc-[^ /]+/python/\\S+"), run)
    // Not while something is left in it. The shell's JVM may end after the shell.
    Patience.until(s"empty $memory")(Try(Files.delete(memory)).toOption)(
      FilesBelow(memory).mkString("\n")
    )
  }

  test("a script that fails is exit code 1") {
    val command = Submit.quickly(dist) ++
      Seq("--master", "local[1]", PythonEnvironment.script("ends.py"))
    val run = Run(command, scratch, env)
    assert(run.exit == 1, run)
    assert(run.out.contains("thrown by the script"), run)
  }
}

object PySparkSuite {

  private def core: String = s"spark-core_2.12-${Dist.version}.jar"

  private def shell: String =
    s"""import sys
      |total = sc.parallelize(range(10)).map(lambda x: x * x).sum()
      |blocks = sc._jvm.org.apache.spark.SparkEnv.get().blockManager()
      |print("answer", total, blocks.getClass().getName())
      |print("python", sys.executable)
      |exec(open("${PythonEnvironment.script("spills.py")}").read())
      |""".stripMargin

  private val sums = "[(0, 71071, 143), (1, 71214, 143), (2, 71357, 143)]"

  // By arithmetic, so that stock Spark need not be asked.
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
