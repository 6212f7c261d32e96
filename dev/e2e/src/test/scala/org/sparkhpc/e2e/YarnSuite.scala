package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.util.matching.Regex

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** spark-submit to a real single-node YARN, in both deploy modes. */
class YarnSuite extends AnyFunSuite with Scratch {
  import YarnSuite._

  private lazy val node = new YarnNode(directory("yarn"))

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    node.awaitReady()
  }

  override protected def afterAll(): Unit =
    try node.close()
    finally super.afterAll()

  private def submit(program: String, mode: String, settings: (String, String)*): Run =
    Run(
      Submit.quickly(Dist.patched) ++ Seq("--master", "yarn", "--deploy-mode", mode) ++
        Seq("--num-executors", "2", "--executor-memory", "512m", "--driver-memory", "512m") ++
        conf(
          "spark.ui.enabled" -> "false",
          "spark.yarn.am.memory" -> "512m",
          "spark.yarn.maxAppAttempts" -> "1",
          "spark.yarn.submit.waitAppCompletion" -> "true",
          // The containers are on this machine: no upload of 300 MB for each application.
          "spark.yarn.jars" -> s"local:${Dist.patched.home}/jars/*"
        ) ++ conf(settings ++ launcher: _*) ++
        Seq("--jars", Dist.patched.examplesJar.toString) ++
        Seq("--class", s"org.sparkhpc.apps.$program", Apps.jar.toString),
      scratch,
      env = Map("HADOOP_CONF_DIR" -> node.configuration.toString)
    )

  /** In client mode the container that asks for executors doesn't have the driver's options. */
  private def launcher: Seq[(String, String)] =
    Submit.brief(Dist.patched).collect { case ("spark.driver.defaultJavaOptions", options) =>
      "spark.yarn.am.extraJavaOptions" -> options
    }

  private def application(run: Run): String =
    id.findFirstIn(run.err).getOrElse(fail(run.toString))

  private def assertLogged(run: Run, who: String, count: Int): Unit = {
    val line = s"Spark-HPC ${Dist.version} is in place on executor $who of "
    val logs = node.containerLogs(application(run), "stderr")
    assert(logs.values.count(log => line.r.findFirstIn(log).isDefined) == count, logs)
  }

  /** What the driver printed, whatever the exit code, which the caller asserts. */
  private def assertRight(driver: Run): Unit = {
    assert(driver.lines.intersect(right) == right, driver)
    PatchReport.assertPatched(driver.copy(exit = 0), "1", "2", "driver")
  }

  test(
    "client mode: results are right, all processes are patched, and the exit code is passed on",
    Slow
  ) {
    val run = submit("FailingNeighbours", "client")
    assert(run.exit == 3, run)
    assertRight(run)
    assertLogged(run, "\\d+", 2)
  }

  /** The directories of tiers, of all containers of an application, and each one's home. */
  private def tiersOf(run: Run): (Seq[Path], Seq[Path]) = {
    val logs = node.containerLogs(application(run), "stderr").values
      .filter(_.contains("Scratch tiers, by spark.hpc.scratch.tiers=")).toSeq
    assert(logs.size == 3, run)
    val lines = logs.flatMap(tier.findAllMatchIn(_))
    def path(line: Regex.Match): Path = Path.of(line.group(1))
    (lines.map(path), lines.filter(_.group(2) != null).map(path))
  }

  private lazy val memory = Path.of("/dev/shm", scratch.getFileName.toString)

  /** Runs a program with these tiers, of which nothing is left; its driver is in a container, too.
    *
    * @param exit of spark-submit
    * @param home the end of the path of each container's own directory
    */
  private def inCluster(program: String, exit: Int, tiers: String, home: String): Run = {
    val run = submit(program, "cluster", "spark.hpc.scratch.tiers" -> tiers)
    try {
      assert(run.exit == exit, run)
      val said = node.containerLogs(application(run), "stdout").values.filter(_.nonEmpty).toSeq
      assert(said.size == 1, run)
      assertRight(run.copy(out = said.head))
      assertLogged(run, "\\d+", 2)
      assertLogged(run, "driver", 1)

      val (all, homes) = tiersOf(run)
      assert(all.size == 6 && homes.size == 3, all)
      val place = s".*/appcache/application_\\w+/$home".r.pattern
      assert(homes.forall(at => place.matcher(at.toString).matches()), homes)
      assert(all.diff(homes).forall(_.startsWith("/dev/shm")), all)
      def left: Seq[Path] = all.filter(Files.exists(_))
      Patience.until("removal of tiers")(Some(()).filter(_ => left.isEmpty))(left.toString)
    } finally Files.deleteIfExists(memory): Unit
    run
  }

  test(
    "cluster mode: results are right, all containers are patched, and nothing is left of scratch " +
      "in memory and in YARN's directories, auto: those of the application"
  ) {
    inCluster("Neighbours", 0, "auto", "blockmgr-[^/]+"): Unit
  }

  test(
    "cluster mode: an application that fails is exit code 1, and nothing is left of scratch " +
      "in memory and in YARN's directories, a list: each container's own",
    Slow
  ) {
    val tiers = s"memory:$memory?capacity=100k,local:$$PWD"
    val home = "container_\\w+/spark-hpc-[^/]+"
    val run = inCluster("FailingNeighbours", 1, tiers, home)
    assert(run.err.contains("finished with failed status"), run)
  }
}

object YarnSuite {

  /** A line of what a process says of its tiers: the directory, and whether it is the home. */
  private val tier =
    raw"(?m)^  \d\. \w+ (/\S+) \(.*?(; Spark's own shuffle files go here)?$$".r

  private val id = "application_\\d+_\\d+".r

  /** Of the numbers below 16,000: the sum, that none was computed again, and sums by remainder. */
  private val right: Seq[String] = {
    val sums = (0L until 3L).map(rest => (rest, (rest until 16000L by 3L).sum))
    Seq("sum=127992000", "again=0", sums.mkString("sums=", " ", ""))
  }

  private def conf(settings: (String, String)*): Seq[String] =
    settings.flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
}
