package org.sparkhpc.e2e

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** PySpark and adaptive SQL whose map outputs are in a shared directory, encrypted, with speculation. */
class GlobalShuffleSuite extends AnyFunSuite with Scratch {
  import GlobalShuffleSuite._

  private def shuffled(dist: Dist, settings: Seq[(String, String)], options: String*): Run = {
    val all = (common ++ settings).flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
    val command =
      Submit.quickly(dist) ++ all ++ options :+ PythonEnvironment.script("shuffled.py")
    val run = Run(command, scratch, Map("PYSPARK_PYTHON" -> PythonEnvironment.python))
    assert(run.exit == 0, run)
    run
  }

  test("results are those of stock Spark, and the executors read the directory") {
    val shared = directory("shared")
    val metrics = new CsvMetrics(directory("metrics"))
    val global = Seq(
      "spark.master" -> Submit.LocalCluster,
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.route" -> "direct",
      "spark.hpc.shuffle.directory" -> shared.toString,
      "spark.io.encryption.enabled" -> "true"
    )
    val ours =
      shuffled(Dist.patched.placedIn(scratch.resolve("dist")), global, metrics.options: _*)
    val stock = shuffled(Dist.stock, Seq("spark.master" -> "local[2]"))
    val results = PythonResults.of(ours).values
    assert(results == PythonResults.of(stock).values, ours)
    for (kind <- Seq("coalesced", "skewed")) assert(results(s"frame.$kind") == "True", ours)
    for (executor <- Seq("0", "1"))
      assert(metrics.values(executor, "hpc.shuffle.direct.blocks").last.toLong > 0)
    assert(Closing(Files.list(shared))(_.count()) == 0)
  }

  test("barrier stages of PySpark: when a task fails, both run again, in the executors there are") {
    val settings = Seq(
      "spark.ui.enabled" -> "false",
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> directory("barriers").toString,
      // What would wait for ever runs once more than expected.
      "spark.barrier.sync.timeout" -> "60"
    ).flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
    val dist = Dist.patched.placedIn(scratch.resolve("barriers-dist"))
    val script = Seq(PythonEnvironment.script("barriers.py"), directory("tasks").toString, "6")
    val command =
      Submit.quickly(dist) ++ Seq("--master", Submit.LocalCluster) ++ settings ++ script
    val run = Run(command, scratch, Map("PYSPARK_PYTHON" -> PythonEnvironment.python))
    assert(run.exit == 0, run)
    assert(PythonResults.of(run).values == Map("tasks" -> "{4: 6}", "executors" -> "2"), run)
  }

  test("bin/hpc-container says what is wrong with a file, in one line") {
    val file = Files.write(scratch.resolve("other"), new Array[Byte](100)).toString
    for (
      (words, said) <- Seq(
        Seq("verify", file) -> s"$file: header: this is no container",
        Seq(
          "ls",
          scratch.toString
        ) -> s"$scratch: a directory: name a file in it, of those that find ",
        Seq("ls", s"$file.gone") -> s"$file.gone: no such file: name a *.container; "
      )
    ) {
      val run = Run(Dist.patched.bin("hpc-container") +: words, scratch)
      assert(run.exit == 1 && run.err.linesIterator.size == 1, run)
      assert(run.err.startsWith(s"hpc-container: $said"), run)
    }
  }
}

object GlobalShuffleSuite {

  private val common = Seq(
    "spark.ui.enabled" -> "false",
    "spark.speculation" -> "true",
    "spark.speculation.interval" -> "10ms",
    "spark.speculation.multiplier" -> "1.01",
    "spark.speculation.quantile" -> "0.1",
    "spark.speculation.minTaskRuntime" -> "1ms",
    "spark.sql.shuffle.partitions" -> "20",
    "spark.sql.autoBroadcastJoinThreshold" -> "-1",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "64k",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> "64k",
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor" -> "2"
  )
}
