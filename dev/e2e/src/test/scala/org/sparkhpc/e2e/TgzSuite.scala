package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.util.Try

import org.scalatest.funsuite.AnyFunSuite

/** The archive, unpacked elsewhere by root and used by somebody else from another directory. */
class TgzSuite extends AnyFunSuite with Scratch {

  private val name = s"spark-${Dist.version}-bin-hpc"
  private lazy val tgz = Dist.root.resolve(s"$name.tgz")

  private lazy val elsewhere = directory("elsewhere")

  /** Unpacks it, and lists each entry as it is in the archive. */
  private lazy val unpacking: Run = {
    assert(Files.exists(tgz), s"$tgz isn't built: run dev/make-distribution.sh --tgz first")
    val listing = Seq("--numeric-owner", "--utc", "--full-time", "-vv")
    val run =
      Run(Seq("tar", "-xzf", tgz.toString, "-C", elsewhere.toString) ++ listing, scratch)
    assert(run.exit == 0, run)
    run
  }

  private lazy val unpacked: Dist = {
    assert(unpacking.lines.nonEmpty)
    Dist(elsewhere.resolve(name))
  }

  /** Runs what follows as nobody, who owns nothing of the distribution. */
  private lazy val asNobody: Seq[String] = {
    def id(option: String, user: String*): Option[String] =
      Try(Run(Seq("id", option) ++ user, scratch)).toOption.filter(_.exit == 0).map(_.out.trim)
    Needs(id("-u").contains("0"), "root, to become another user")
    Needs(id("-u", "nobody").isDefined, "a user nobody")
    val command = Seq(
      "setpriv",
      s"--reuid=${id("-u", "nobody").get}",
      s"--regid=${id("-g", "nobody").get}",
      "--clear-groups"
    )
    Needs(Try(Run(command :+ "true", scratch)).toOption.exists(_.exit == 0), "setpriv")
    command ++ Seq("env", s"HOME=$home", "USER=nobody")
  }

  private lazy val home: Path = {
    val directory = this.directory("home")
    Scratch.open(directory)
    directory
  }

  test("all is in one directory named like the archive, in order, without times or owners") {
    val entries = unpacking.lines.map(_.split(" +", 6))
    assert(entries.forall(_.apply(1) == "0/0"))
    assert(entries.map(entry => entry(3) + " " + entry(4)).distinct.size == 1)
    val names = entries.map(_.apply(5))
    assert(names.forall(n => n == s"$name/" || n.startsWith(s"$name/")))
    for (
      part <- Seq(
        "bin/spark-submit",
        "sbin/start-master.sh",
        "conf/spark-defaults.conf",
        "conf/log4j2.properties.template",
        "docs/how-to.md",
        "docs/results/README.md",
        "examples/programs",
        "patch/weaver.jar",
        "sbin/hpc-patch",
        "site/containers/spark-hpc.def",
        "site/grafana/spark-hpc.json",
        "docs/images/report.png",
        "bom.cdx.json",
        "CHANGELOG.md",
        "RELEASE",
        "LICENSE",
        "NOTICE",
        s"jars/spark-core_2.12-${Dist.version}.jar"
      )
    )
      assert(names.contains(s"$name/$part"), part)
  }

  test("another user can read all of it and write none") {
    for (what <- Seq("! -readable", "-writable ! -type l")) {
      def found(what: String): Run = {
        val run =
          Run(asNobody ++ Seq("find", unpacked.home.toString) ++ what.split(' '), home)
        assert(run.exit == 0, run)
        run
      }
      assert(found("-name spark-submit -readable").lines.size == 1)
      assert(found(what).out.isEmpty, what)
    }
  }

  test("another user runs a cluster from another directory, where all processes are patched") {
    // One worker is enough for two executors.
    val settings = Map("SPARK_WORKER_CORES" -> "2", "SPARK_WORKER_MEMORY" -> "2g")
    val cluster =
      new StandaloneCluster(unpacked, directory("cluster"), asNobody, 1, settings)
    Closing(cluster) { cluster =>
      val run = Run(
        asNobody ++ Seq(
          unpacked.bin("run-example"),
          "--master",
          cluster.url,
          "--conf",
          "spark.ui.enabled=false",
          "--conf",
          "spark.executor.cores=1",
          "hpc.PatchCheck",
          "--executors",
          "2"
        ),
        home
      )
      PatchReport.assertPatched(run, "0", "1", "driver")
    }
  }

  test("daemons of another user need to be told where to log, in one line") {
    val run =
      Run(asNobody :+ unpacked.sbin("start-master.sh"), home, Map("SPARK_PID_DIR" -> home.toString))
    assert(run.exit == 1 && run.err.contains("set SPARK_LOG_DIR"), run)
  }
}
