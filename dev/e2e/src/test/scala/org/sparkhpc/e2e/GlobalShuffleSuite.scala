package org.sparkhpc.e2e

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** PySpark and adaptive SQL whose map outputs are in a shared directory, encrypted, with speculation. */
class GlobalShuffleSuite extends AnyFunSuite with Scratch {
  import GlobalShuffleSuite._

  private lazy val shared = directory("shared")
  private lazy val metrics = new CsvMetrics(directory("metrics"))

  private lazy val shuffled: Run = {
    val dist = Dist.patched.placedIn(scratch.resolve("dist"))
    val settings = common :+ ("spark.hpc.shuffle.directory" -> shared.toString)
    val options = settings.flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
    val script = Seq(PythonEnvironment.script("shuffled.py"), directory("tasks").toString, "6")
    val command = Submit.quickly(dist) ++ Seq("--master", Submit.LocalCluster) ++ options ++
      metrics.options ++ script
    Run(command, scratch, Map("PYSPARK_PYTHON" -> PythonEnvironment.python))
  }

  test("results are right, and the executors read the directory") {
    assert(shuffled.exit == 0, shuffled)
    assert(PythonResults.of(shuffled).values -- barriers.keys == expected, shuffled)
    for (executor <- Seq("0", "1"))
      assert(metrics.values(executor, "hpc.shuffle.direct.blocks").last.toLong > 0)
    assert(Closing(Files.list(shared))(_.count()) == 0)
  }

  test("barrier stages of PySpark: when a task fails, both run again, in the executors there are") {
    assert(shuffled.exit == 0, shuffled)
    assert(PythonResults.of(shuffled).values -- expected.keys == barriers, shuffled)
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

  private val barriers = Map("tasks" -> "{4: 6}", "executors" -> "2")

  /** As Python prints them; adaptive execution is to have changed both kinds of partitions. */
  private val expected: Map[String, String] = {
    def rows(all: Seq[Product]): String =
      all.map(_.productIterator.mkString("(", ", ", ")")).mkString("[", ", ", "]")
    val numbers = (0 until 17).map(rest => rest -> (rest until 5000 by 17))
    val sums = rows(numbers.map { case (rest, its) => (rest, its.sum) })
    val ids = 0L until 200000L
    val keys = ids.map(id => if (id % 10 < 7) 0L else id % 1000)
    Map(
      "rdd.sums" -> sums,
      "rdd.groups" -> rows(numbers.map { case (rest, its) => (rest, its.size) }),
      "rdd.barrier" -> sums,
      "frame.join" -> rows(Seq((ids.size, ids.sum, 3 * keys.sum))),
      "frame.coalesced" -> "True",
      "frame.skewed" -> "True"
    )
  }

  private val common = Seq(
    "spark.ui.enabled" -> "false",
    "spark.hpc.shuffle.placement" -> "global",
    "spark.hpc.shuffle.route" -> "direct",
    "spark.io.encryption.enabled" -> "true",
    // What would wait for ever at a barrier runs once more than expected.
    "spark.barrier.sync.timeout" -> "60",
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
