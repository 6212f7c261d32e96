package org.sparkhpc.e2e

import java.nio.file.Path

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Shuffles of two nodes on real parallel file systems, whose clients keep attributes, names and data for a while. The
  * nodes measure at the start what each sees at once. Executors die, a file is damaged, and all are removed, while
  * readers have them open; in the end a node crashes.
  */
class SharedMountsSuite extends AnyFunSuite with Scratch {

  private val scenarios = Seq(
    "between-nothing",
    "map-executor",
    "between-executor",
    "reduce-executor",
    "between-file",
    "between-shuffle",
    "reduce-fault"
  )

  private def losses(kind: String, route: String): Unit = {
    val name = s"$kind-$route"
    val metrics = new CsvMetrics(directory(s"metrics-$name"))
    Closing(new SharedMounts(kind, directory(name))) { mounts =>
      Closing(new StandaloneCluster(Dist.patched, directory(s"cluster-$name"), mounts.as(0), 1)) {
        cluster =>
          Closing(cluster.worker(mounts.as(1), directory(s"work-$name"))) { worker =>
            val settings = Seq(
              "spark.hpc.shuffle.placement" -> "global",
              "spark.hpc.shuffle.route" -> route,
              "spark.hpc.shuffle.directory" -> mounts.shared.toString,
              "spark.executor.cores" -> "1",
              "spark.executor.memory" -> "512m",
              "spark.executorEnv.FAULT" -> mounts.crashOf(1).toString
            ) ++ StandaloneCluster.Both
            val submit = Submit(
              Dist.patched,
              cluster.url,
              "Losses",
              settings,
              directory(s"notes-$name").toString +: scenarios,
              metrics.options
            )
            val run = Run(mounts.as(0) ++ submit.command, scratch)
            assert(run.exit == 0, run)
            assert(!worker.isAlive, "its node has crashed")
            assertRight(run, route)
            assertMeasured(run, Run.read(executorLog(directory(s"work-$name"))))
            // Otherwise the other route could have done it all.
            val last = maps(run, "between-file").last
            if (route == "direct")
              assert(metrics.values(last, "hpc.shuffle.direct.blocks").last.toLong > 0, run)
          }
      }
      assert(mounts.files(0).isEmpty)
    }
  }

  private def assertRight(run: Run, route: String): Unit = {
    for (scenario <- scenarios) {
      assert(Apps.result(run, s"$scenario.sums") == LossesSuite.Sums, s"$scenario\n$run")
      val again = maps(run, scenario).length - LossesSuite.Maps
      val lost = scenario match {
        case "between-file" => Apps.result(run, s"$scenario.damaged").toInt
        case "between-shuffle" => LossesSuite.Maps
        case _ => 0
      }
      // Through the network, an owner serves a removed file that it has open.
      val isServed = scenario == "between-shuffle" && route == "auto"
      assert(again == lost || isServed && again < lost, s"$scenario\n$run")
    }
    assert(Apps.result(run, "reduce-fault.victim") != "none", run)
    // Nothing of the first shuffle was lost since.
    assert(maps(run, "again").length == LossesSuite.Maps, run)
  }

  /** The log of the first executor on the second node. */
  private def executorLog(work: Path): Path =
    FilesBelow(work).filter(_.endsWith("stderr")).minBy(_.getParent.getFileName.toString.toInt)

  /** On none of these is a line that was written over seen at once by who has just read it. */
  private def assertMeasured(run: Run, log: String): Unit = {
    val driver = "executor [0-9]+, [^ ]+ and the driver don't see at once what the other writes".r
    assert(driver.findAllIn(run.err).size == 1, run)
    assert(log.linesIterator.count(_.contains("coherence is Unproven")) == 1, log)
  }

  /** The executors that ran the map tasks, one for each time that one was run. */
  private def maps(run: Run, scenario: String): Seq[String] =
    Apps.result(run, s"$scenario.maps").split(' ').toSeq

  test("GlusterFS: only what is damaged is computed again", Slow) {
    losses("glusterfs", "direct")
  }

  test("GlusterFS, with either route", Slow) {
    losses("glusterfs", "auto")
  }

  test("CephFS: only what is damaged is computed again", Slow) {
    losses("cephfs", "direct")
  }

  test("MooseFS: only what is damaged is computed again", Slow) {
    losses("moosefs", "direct")
  }
}
