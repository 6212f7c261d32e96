package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** spark-submit to a real single-node YARN, in both deploy modes. */
class YarnSuite extends AnyFunSuite with Scratch {

  private lazy val node = new YarnNode(directory("yarn"))

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    node.awaitReady()
  }

  override protected def afterAll(): Unit =
    try node.close()
    finally super.afterAll()

  private def submit(mode: String, options: String*)(args: String*): Run =
    Run(
      Seq(Dist.patched.bin("spark-submit"), "--master", "yarn", "--deploy-mode", mode) ++
        Seq("--num-executors", "2", "--executor-memory", "512m", "--driver-memory", "512m") ++
        YarnSuite.conf(
          "spark.ui.enabled" -> "false",
          "spark.yarn.am.memory" -> "512m",
          "spark.yarn.maxAppAttempts" -> "1",
          "spark.yarn.submit.waitAppCompletion" -> "true",
          // A name of its own for each jar of ours and one directory of Spark's, not an upload.
          "spark.yarn.jars" -> s"local:${Dist.patched.home}/jars/*"
        ) ++ options ++
        Seq("--jars", Dist.patched.examplesJar.toString) ++
        Seq("--class", "org.sparkhpc.apps.Numbers", Apps.jar.toString) ++ args,
      scratch,
      env = Map("HADOOP_CONF_DIR" -> node.configuration.toString)
    )

  private def application(run: Run): String =
    YarnSuite.id.findFirstIn(run.err).getOrElse(fail(run.toString))

  private def assertLogged(run: Run, who: String, count: Int): Unit = {
    val line = s"Spark-HPC ${Dist.version} is in place on executor $who of "
    val logs = node.containerLogs(application(run), "stderr")
    assert(logs.values.count(log => line.r.findFirstIn(log).isDefined) == count, logs)
  }

  test("client mode: results are right, and all processes are patched") {
    val run = submit("client")("2")
    assert(run.lines.contains(YarnSuite.sums), run)
    PatchReport.assertPatched(run, "1", "2", "driver")
    assertLogged(run, "\\d+", 2)
  }

  test("cluster mode: results are right, and all containers are patched") {
    val run = submit("cluster")("2")
    assert(run.exit == 0, run)
    val said = node.containerLogs(application(run), "stdout").values.filter(_.nonEmpty).toSeq
    assert(said.size == 1, run)
    val driver = run.copy(out = said.head)
    assert(driver.lines.contains(YarnSuite.sums), driver)
    PatchReport.assertPatched(driver, "1", "2", "driver")
    assertLogged(run, "\\d+", 2)
    assertLogged(run, "driver", 1)
  }

  test("client mode: the application's exit code is passed on") {
    val run = submit("client")("2", "fail")
    assert(run.exit == 3, run)
  }

  test("cluster mode: an application that fails is exit code 1") {
    val run = submit("cluster")("2", "fail")
    assert(run.exit == 1, run)
    assert(run.err.contains("finished with failed status"), run)
  }
}

object YarnSuite {

  private val id = "application_\\d+_\\d+".r

  /** Of 0, 3, .. 2997 and the two other remainders. */
  private val sums = "sums=(0,1498500) (1,1499500) (2,1500500)"

  private def conf(settings: (String, String)*): Seq[String] =
    settings.flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
}
