package org.sparkhpc.e2e

import java.nio.file.{Files, Path, Paths}

import org.scalatest.funsuite.AnyFunSuite

/** An installed Spark of another verified release, as a patched copy and with the agent. */
class OtherReleaseSuite extends AnyFunSuite with Scratch {

  private lazy val release = Dist.property("spark.other.version")

  /** The stock distribution with the jars of the other release. Modules of which there is none aren't in it. */
  private lazy val installed: Dist = {
    val dist = Dist.stock.placedIn(scratch.resolve("installed"))
    // Class data of the jars that aren't there.
    Files.deleteIfExists(dist.home.resolve("conf/spark-defaults.conf")): Unit
    val jars = dist.home.resolve("jars")
    Files.delete(jars)
    Files.createDirectory(jars)
    def link(from: Path): Unit =
      Files.createSymbolicLink(jars.resolve(from.getFileName), from): Unit
    FilesBelow(Paths.get(Dist.property("spark.other.dir"))).foreach(link)
    FilesBelow(Dist.stock.home.resolve("jars"))
      .filterNot(_.getFileName.toString.endsWith(s"-${Dist.sparkVersion}.jar")).foreach(link)
    dist
  }

  /** Room for 2 MiB of blocks. All that doesn't fit is spilled. */
  private def short: Seq[(String, String)] = Seq(
    "spark.testing.memory" -> (4L << 20).toString,
    "spark.testing.reservedMemory" -> "0",
    "spark.memory.fraction" -> "0.5",
    "spark.storage.unrollMemoryThreshold" -> "16384",
    "spark.cleaner.referenceTracking" -> "false",
    "spark.hpc.retention.spill" -> "always"
  )

  private def losses(dist: Dist, name: String, options: String*): Submit = {
    val settings = Seq(
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> directory(s"shared-$name").toString
    )
    val args = Seq(directory(s"notes-$name").toString, "between-nothing", "between-file")
    Submit(dist, Submit.LocalCluster, "Losses", settings, args, options)
  }

  private def assertRight(run: Run): Unit = {
    PatchReport.assertPatched(run, "0", "1", "driver")
    for (scenario <- Seq("between-nothing", "between-file"))
      assert(Apps.result(run, s"$scenario.sums") == LossesSuite.Sums, run)
    assert(Apps.result(run, "between-nothing.containers") == "2", run)
  }

  test(
    "a patched copy: map outputs in containers, spilled blocks, and graphs, with Spark's results"
  ) {
    val dist = Dist(scratch.resolve("patched"))
    val patched = Run(
      Seq(Dist.patched.sbin("hpc-patch"), installed.home.toString, dist.home.toString),
      scratch
    )
    assert(patched.exit == 0, patched)
    assert(patched.lines.last.contains(s"Spark $release with Spark-HPC ${Dist.version}"), patched)

    val edges = scratch.resolve("edges").toString
    def example(on: Dist, program: String, args: String*): Submit =
      Submit(on, "local[2]", s"org.apache.spark.examples.hpc.$program", args = args)
    def ranked(on: Dist): Submit =
      example(on, "PageRank", "--iterations", "5", "--partitions", "2", edges)
    val runs = InTurn(scratch)(
      "losses" -> losses(dist, "patched"),
      "cached" -> Submit(dist, "local[1]", "Generations", short, Seq("9", "MEMORY_ONLY")),
      "edges" -> example(dist, "Rmat", "--scale", "10", "--output", edges),
      "graph" -> ranked(dist)
    )
    assertRight(runs("losses"))
    assert(Apps.result(runs("cached"), "computed").toInt == 9 * 8, runs("cached"))
    val ranks = ranking(runs("graph"))
    assert(
      ranks.nonEmpty && ranks == ranking(InTurn(scratch)("graph" -> ranked(installed))("graph"))
    )
  }

  /** Place, rank and vertex, as PageRank prints them. */
  private def ranking(run: Run): Seq[String] =
    run.lines.filter(_.matches("\\s+\\d+\\s+[\\d.]+\\s+\\d+"))

  test("the agent: map outputs in containers, with Spark's results") {
    val agent = s"-javaagent:${Dist.patched.agent}"
    val executors = Seq("--conf", s"spark.executor.extraJavaOptions=$agent")
    assertRight(
      losses(installed, "agent", Seq("--driver-java-options", agent) ++ executors: _*).run(scratch)
    )
  }
}
