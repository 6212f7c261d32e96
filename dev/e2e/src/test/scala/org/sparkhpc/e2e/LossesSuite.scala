package org.sparkhpc.e2e

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Executors, workers, nodes and files that are lost in the middle of a shuffle. */
class LossesSuite extends AnyFunSuite with Scratch {
  import LossesSuite._

  private val kills =
    for (when <- Seq("map", "between", "reduce"); what <- Seq("executor", "worker"))
      yield s"$when-$what"

  private def settings(name: String): Seq[(String, String)] = Seq(
    "spark.hpc.shuffle.placement" -> "global",
    "spark.hpc.shuffle.directory" -> directory(s"shared-$name").toString,
    // As everywhere but in a local cluster.
    "spark.shuffle.readHostLocalDisk" -> "true",
    "spark.executor.cores" -> "1",
    "spark.executor.memory" -> "512m",
    "spark.cores.max" -> "2",
    "spark.excludeOnFailure.enabled" -> "true",
    "spark.excludeOnFailure.application.fetchFailure.enabled" -> "true"
  )

  private def losses(url: String, settings: Seq[(String, String)], options: Seq[String] = Nil)(
      scenarios: String*
  ): Submit = Submit(
    Dist.patched,
    url,
    "Losses",
    settings,
    Files.createTempDirectory(scratch, "notes").toString +: scenarios,
    options
  )

  /** What each scenario says in common: the result is right, and who ran its map tasks. */
  private def maps(run: Run, scenario: String): Seq[String] = {
    assert(Apps.result(run, s"$scenario.sums") == Sums, run)
    Apps.result(run, s"$scenario.maps").split(" ").toSeq
  }

  /** The names that Spark excluded, of which none is an executor's or a node's. */
  private def excluded(run: Run): Seq[String] = {
    val all = Apps.result(run, "excluded").split(" ").filter(_.nonEmpty)
    // Healthy executors have numbers, and nodes addresses.
    assert(all.filterNot(_.startsWith("hpc:")).isEmpty, run)
    all
  }

  private def assertOver(run: Run, name: String): Unit = {
    assert(run.exit == 0, run)
    excluded(run): Unit
    assert(Closing(Files.list(directory(s"shared-$name")))(_.count()) == 0, run)
  }

  private def metrics(name: String): CsvMetrics = new CsvMetrics(directory(s"metrics-$name"))

  private def count(name: String, executor: String, what: String): Long =
    metrics(name).values(executor, s"hpc.shuffle.$what").last.toLong

  private val evacuations = Seq("map-decommissioned", "between-retired")

  private def damaging: Submit = {
    // An owner that has a file open has its bytes, also when its name is gone.
    val direct = settings("damaged") :+ ("spark.hpc.shuffle.route" -> "direct")
    val scenarios = Seq("between-nothing", "between-file", "between-shuffle")
    losses(Submit.LocalCluster, direct, metrics("damaged").options)(scenarios: _*)
  }

  private def evacuating: Submit = {
    val Seq(fast, tier) = Seq("fast", "tier").map(directory(_))
    val tiers = settings("evacuated") ++ Seq(
      "spark.hpc.shuffle.placement" -> "fastest",
      "spark.decommission.enabled" -> "true",
      "spark.storage.decommission.enabled" -> "true",
      "spark.storage.decommission.shuffleBlocks.enabled" -> "true",
      "spark.storage.decommission.replicationReattemptInterval" -> "1s",
      "spark.hpc.scratch.tiers" -> s"local:$fast,global:$tier"
    )
    losses(Submit.LocalCluster, tiers, metrics("evacuated").options)(evacuations: _*)
  }

  private lazy val local: Map[String, Run] =
    InTurn(scratch)("damaged" -> damaging, "evacuated" -> evacuating)

  /** Where workers are processes, too. */
  private lazy val killed: Map[String, Run] = {
    // The last that is killed needs none instead.
    val workers = 2 + kills.count(_.endsWith("worker")) - 1
    val fastest = settings("fastest") ++ Seq(
      "spark.hpc.shuffle.placement" -> "fastest",
      "spark.shuffle.io.retryWait" -> "100ms"
    )
    Closing(new StandaloneCluster(Dist.patched, directory("cluster"), Nil, workers)) { cluster =>
      InTurn(scratch)(
        "fastest" -> losses(cluster.url, fastest)("between-executor"),
        "killed" -> losses(cluster.url, settings("killed"))(kills: _*)
      )
    }
  }

  test("executors and workers killed: nothing is run again", Slow) {
    val run = killed("killed")
    assertOver(run, "killed")

    for (scenario <- kills) {
      val executors = maps(run, scenario)
      assert(executors.size == Maps, s"$scenario\n$run")
      val containers = Apps.result(run, s"$scenario.containers").toInt
      assert(containers == executors.distinct.size, s"$scenario\n$run")
      val victim = Apps.result(run, s"$scenario.victim")
      assert(run.err.contains(s"Lost executor $victim on 127.0.0.1"), run)
    }
    val workersLost = "Master removed worker ".r.findAllIn(run.err).size
    assert(workersLost == kills.count(_.endsWith("worker")), run)
    // Of the first shuffle nothing was lost ever since.
    assert(maps(run, "again").size == Maps, run)
  }

  test("files damaged and removed: only what was in them is run again") {
    val run = local("damaged")
    assertOver(run, "damaged")

    // Else nothing were excluded, whatever Spark thinks of a failed fetch.
    assert(excluded(run).nonEmpty, run)
    val damaged = Apps.result(run, "between-file.damaged").toInt
    assert(damaged > 0 && maps(run, "between-file").size == Maps + damaged, run)
    assert(maps(run, "between-shuffle").size == 2 * Maps, run)
    assert(maps(run, "again").size == Maps, run)
    assert(count("damaged", maps(run, "between-shuffle").last, "direct.blocks") > 0)
  }

  test("fastest: what is lost with an executor is computed again, and no more", Slow) {
    val run = killed("fastest")
    assertOver(run, "fastest")
    val executors = maps(run, "between-executor")
    val lost = executors.count(_ == Apps.result(run, "between-executor.victim"))
    assert(lost > 0 && executors.size == Maps + lost, run)
  }

  test(
    "fastest with a global tier: one after the other all executors go, and nothing is run again"
  ) {
    val run = local("evacuated")
    assertOver(run, "evacuated")
    // Why a map task ran again: with its executor, or since its output was lost.
    val events = run.err.linesIterator.filter(Loss.findFirstIn(_).isDefined).mkString("\n")
    for (scenario <- evacuations)
      assert(maps(run, scenario).size == Maps, s"$scenario\n$events\n$run")
    val gone = evacuations.init.map(scenario => Apps.result(run, s"$scenario.victim")) ++
      maps(run, "between-retired")
    for (executor <- gone.distinct)
      assert(count("evacuated", executor, "evacuated.outputs") > 0, s"$executor\n$run")
    assert(maps(run, "again").size == Maps, run)
  }

  test("owners that are stopped, and one whose node is dead: others read the files themselves") {
    Closing(new TwoNodes(Dist.patched, directory("nodes"))) { nodes =>
      val network = settings("nodes") ++ Seq(
        "spark.hpc.shuffle.route" -> "network",
        "spark.hpc.shuffle.network.timeout" -> "1s"
      )
      val scenarios = Seq("reduce-nothing", "reduce0-stopped", "reduce0-node")
      val submit = losses(nodes.url, network, metrics("nodes").options)(scenarios: _*)
      val run = Run(nodes.as ++ submit.command, scratch)
      assertOver(run, "nodes")
      for (scenario <- scenarios) assert(maps(run, scenario).size == Maps, s"$scenario\n$run")
      for ((by, owner) <- Seq("0" -> "1", "1" -> "0")) {
        val log = nodes.executorLog(by)
        assert(log.contains(s"nothing came from executor $owner on "), log)
        for (route <- Seq("network", "direct"))
          assert(count("nodes", by, s"$route.blocks") > 0)
      }
    }
  }
}

object LossesSuite {
  val Maps = 16

  private val Loss = "[Ll]ost |Resubmit|FetchFailed|ecommission|map outputs to the global tier".r

  /** Of the numbers below 16,000, by their remainder of 100. */
  val Sums: String = (0L until 100L)
    .map(rest => (rest, (rest until 16000L by 100L).sum))
    .sorted.mkString(" ")
}
