package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** The agent on an untouched Spark: all processes patched, or one clear error. */
class AgentSuite extends AnyFunSuite with Scratch {

  private lazy val stock = Dist.stock.placedIn(scratch.resolve("stock"))
  private lazy val agent = s"-javaagent:${Dist.patched.agent}"

  private val driver = Seq("--driver-java-options", agent)
  private def executor = Seq("--conf", s"spark.executor.extraJavaOptions=$agent")

  /** With one executor: of several, one that is refused is started again while another runs. */
  private def patchCheck(dist: Dist, options: Seq[String]): Run =
    Run(
      Seq(dist.bin("spark-submit"), "--master", "local-cluster[1,1,1024]") ++
        Seq("--conf", "spark.ui.enabled=false") ++ options ++
        Seq("--class", "org.apache.spark.examples.hpc.PatchCheck") ++
        Seq(Dist.patched.examplesJar.toString, "--executors", "1", "--timeout", "60"),
      scratch
    )

  /** Executors report from tasks, as they do in the first test. */
  private def assertNoTaskRan(run: Run): Unit =
    assert(PatchReport.of(run.out).filterNot(_.executor == "driver").isEmpty, run)

  test(
    "an untouched Spark is patched on the driver and on each executor, and the agent brings the " +
      "shuffle manager, whose outputs are in containers"
  ) {
    val settings = Seq(
      "spark.executor.extraJavaOptions" -> agent,
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> directory("shared").toString
    )
    val args = Seq(directory("notes").toString, "between-nothing")
    val run = Submit(stock, Submit.LocalCluster, "Losses", settings, args, driver).run(scratch)
    PatchReport.assertPatched(run, "0", "1", "driver")
    assert(Apps.result(run, "between-nothing.sums") == LossesSuite.Sums, run)
    assert(Apps.result(run, "between-nothing.containers") == "2", run)
  }

  test("a driver with it and an executor without it is one error, and no task runs", Slow) {
    // Where no job runs yet, it is waited out.
    val run = patchCheck(stock, driver)
    assert(run.exit != 0, run)
    val error = s"the driver has Spark-HPC ${Dist.version}, executor \\d+ has none".r
    assert(error.findFirstIn(run.err).isDefined, run)
    assertNoTaskRan(run)
  }

  test("an executor with it and a driver without it is an error that the driver shows", Slow) {
    // No executor ever comes, and such a driver would have the next one started.
    val once = Seq("--conf", "spark.deploy.maxExecutorRetries=1")
    val run = patchCheck(stock, executor ++ once)
    assert(run.exit != 0, run)
    val error = s"executor \\d+ has Spark-HPC ${Dist.version}, its driver has none".r
    assert(error.findFirstIn(run.err).isDefined, run)
    assertNoTaskRan(run)
  }

  test("the agent on a Spark that is patched already is one error before anything runs") {
    val run = patchCheck(Dist.patched.placedIn(scratch.resolve("patched")), driver ++ executor)
    assert(run.exit == 1, run)
    assert(run.err.trim.startsWith("spark-hpc-agent: refused: this Spark is patched already"), run)
    assert(run.err.trim.linesIterator.size == 1, run)
  }
}
