package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** What an application on a standalone cluster tells of itself: metrics as docs/how-to.md has them, in each executor's
  * own output and in no file more; the same in files; and a line in each executor's log. The distribution's path has a
  * space in it.
  */
class MetricsRecipeSuite extends AnyFunSuite with Scratch {
  import MetricsRecipeSuite._

  private lazy val metrics = new CsvMetrics(directory("csv"))

  /** One application, of which each test looks at something else. */
  private lazy val seen: Seen = {
    val dist = Dist.patched.placedIn(scratch.resolve("a distribution"))
    Closing(started(dist)) { cluster =>
      val run =
        Submit(
          dist,
          cluster.url,
          "SpillingGroups",
          StandaloneCluster.Both ++ spilling,
          options = recipe.flatMap(Seq("--conf", _)) ++ metrics.options
        ).run(scratch)
      def files: Seq[String] = FilesBelow(cluster.daemons.work).map(_.getFileName.toString)
        .filterNot(_.endsWith(".jar")).sorted
      // Those of the shuffle go with the executors.
      Patience.until("outputs and logs alone")(
        Some(()).filter(_ => files == Seq("stderr", "stderr", "stdout", "stdout"))
      )(files.mkString("", "\n", s"\n$run"))
      val came = Seen(run, cluster.executorLogs, cluster.executorOutputs)
      assert(cluster.daemons.script("stop-worker.sh").exit == 0)
      cluster.daemons.stop("stop-master.sh"): Unit
      came
    }
  }

  /** One worker is enough for two executors. */
  private def started(dist: Dist): StandaloneCluster = new StandaloneCluster(
    dist,
    directory("standalone"),
    workers = 1,
    settings = Map("SPARK_WORKER_CORES" -> "2", "SPARK_WORKER_MEMORY" -> "2g")
  )

  test("driver and executors are patched, and results are right") {
    PatchReport.assertPatched(seen.run, processes: _*)
    assert(Apps.result(seen.run, "right") == "40000", seen.run)
  }

  test("each executor prints its metrics, and makes no file for them") {
    assert(seen.run.exit == 0 && !seen.run.out.contains("patchedComponents"), seen.run)
    val values = seen.outputs.map(Components.findAllMatchIn(_).map(_.group(1)).toSet)
    assert(values == Seq(Set("4"), Set("4")), seen.outputs)
  }

  test("executors log the version, and every process counts four patched components") {
    assert(seen.logs.size == 2)
    for (log <- seen.logs) assert(log.contains(s"Spark-HPC ${Dist.version} "), log)
    for (process <- processes)
      assert(metrics.values(process, "hpc.patchedComponents").toSet == Set("4"), process)
  }

  test("each executor opens a spill once for all its batches, and holds none in the end") {
    assert(seen.run.exit == 0, seen.run)
    def last(metric: String): Seq[Long] =
      Seq("0", "1").map(metrics.values(_, s"hpc.pool.$metric").last.toLong)
    assert(Set(38, 39)(last("opens").sum.toInt))
    assert(last("hits").sum >= 38 * 10)
    assert(last("openNow").sum == 0 && last("evictions").sum == 0)
  }
}

object MetricsRecipeSuite {

  /** What came of the application, and what its executors logged and printed. */
  final case class Seen(run: Run, logs: Seq[String], outputs: Seq[String])

  private val processes = Seq("0", "1", "driver")

  private val Components = """(?m)^\S+\.hpc\.patchedComponents\n +value = (\d+)$""".r

  private val spilling = Seq(
    "spark.executor.cores" -> "1",
    // Containers are in the pool, too.
    "spark.shuffle.manager" -> "sort",
    // Of 20,000 pairs each reducer spills 1,001 at a time, in 11 batches, all but the last.
    "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1000",
    "spark.shuffle.spill.batchSize" -> "100"
  )

  /** The settings of the page's command, but for a program that takes seconds. */
  private def recipe: Seq[String] = {
    val page = Run.read(Dist.root.resolve("docs/how-to.md"))
    val settings =
      """--conf (spark\.metrics\.\S+)""".r.findAllMatchIn(page).map(_.group(1)).toSeq
    assert(settings.size == 3 && settings.count(_.endsWith(".unit=minutes")) == 1, settings)
    settings.map(_.replace(".unit=minutes", ".unit=seconds"))
  }
}
