package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.util.matching.Regex

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

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
    submitted("Numbers", mode, options: _*)(args: _*)

  private def submitted(program: String, mode: String, options: String*)(args: String*): Run =
    Run(
      Submit.quickly(Dist.patched) ++ Seq("--master", "yarn", "--deploy-mode", mode) ++
        Seq("--num-executors", "2", "--executor-memory", "512m", "--driver-memory", "512m") ++
        YarnSuite.conf(
          "spark.ui.enabled" -> "false",
          "spark.yarn.am.memory" -> "512m",
          "spark.yarn.maxAppAttempts" -> "1",
          "spark.yarn.submit.waitAppCompletion" -> "true",
          // The containers are on this machine: no upload of 300 MB for each application.
          "spark.yarn.jars" -> s"local:${Dist.patched.home}/jars/*"
        ) ++ options ++
        Seq("--jars", Dist.patched.examplesJar.toString) ++
        Seq("--class", s"org.sparkhpc.apps.$program", Apps.jar.toString) ++ args,
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

  /** The directories of tiers, of all containers of an application, and each one's home. */
  private def tiersOf(run: Run): (Seq[Path], Seq[Path]) = {
    val logs = node.containerLogs(application(run), "stderr").values
      .filter(_.contains("Scratch tiers, by spark.hpc.scratch.tiers=")).toSeq
    assert(logs.size == 3, run)
    val lines = logs.flatMap(YarnSuite.tier.findAllMatchIn(_))
    def path(line: Regex.Match): Path = Path.of(line.group(1))
    (lines.map(path), lines.filter(_.group(2) != null).map(path))
  }

  private lazy val memory = Path.of("/dev/shm", scratch.getFileName.toString)

  for (
    (name, tiers, home) <- Seq(
      ("auto: those of the application", () => "auto", "blockmgr-[^/]+"),
      (
        "a list: each container's own",
        () => s"memory:$memory?capacity=100k,local:$$PWD",
        "container_\\w+/spark-hpc-[^/]+"
      )
    )
  ) test(
    s"scratch in memory and in YARN's directories, $name, and nothing is left of either",
    Slow
  ) {
    val options = YarnSuite.conf("spark.hpc.scratch.tiers" -> tiers())
    val run = submitted("Neighbours", "cluster", options: _*)()
    try {
      assert(run.exit == 0, run)
      val said = node.containerLogs(application(run), "stdout").values.find(_.nonEmpty).get
      val right = Seq("sum=127992000", "again=0", YarnSuite.sumsOfNeighbours)
      assert(said.linesIterator.toSeq.intersect(right) == right, said)
      val (all, homes) = tiersOf(run)
      assert(all.size == 6 && homes.size == 3, all)
      val place = s".*/appcache/application_\\w+/$home".r.pattern
      assert(homes.forall(at => place.matcher(at.toString).matches()), homes)
      assert(all.diff(homes).forall(_.startsWith("/dev/shm")), all)
      def left: Seq[Path] = all.filter(Files.exists(_))
      Patience.until("removal of tiers")(Some(()).filter(_ => left.isEmpty))(left.toString)
    } finally Files.deleteIfExists(memory): Unit
  }

  test("client mode: the application's exit code is passed on", Slow) {
    val run = submit("client")("2", "fail")
    assert(run.exit == 3, run)
  }

  test("cluster mode: an application that fails is exit code 1", Slow) {
    val run = submit("cluster")("2", "fail")
    assert(run.exit == 1, run)
    assert(run.err.contains("finished with failed status"), run)
  }
}

object YarnSuite {

  /** A line of what a process says of its tiers: the directory, and whether it is the home. */
  private val tier =
    raw"(?m)^  \d\. \w+ (/\S+) \(.*?(; Spark's own shuffle files go here)?$$".r

  private val id = "application_\\d+_\\d+".r

  /** Of 0, 3, .. 2997 and the two other remainders. */
  private val sums = "sums=(0,1498500) (1,1499500) (2,1500500)"

  /** Of the numbers below 16,000. */
  private val sumsOfNeighbours =
    (0L until 3L).map(rest => (rest, (rest until 16000L by 3L).sum)).mkString("sums=", " ", "")

  private def conf(settings: (String, String)*): Seq[String] =
    settings.flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
}
