package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Programs that cache more than fits: nothing is computed twice, and results are stock Spark's. */
class RetentionSuite extends AnyFunSuite with Scratch {
  import RetentionSuite._

  private def generations(dist: Dist, master: String, spill: Option[String], args: String*): Run = {
    val setting = spill.map("spark.hpc.retention.spill" -> _).toSeq
    val run = Submit(dist, master, "Generations", (short(2) ++ setting) :+ Kept, args).run(scratch)
    assert(run.exit == 0, run)
    run
  }

  private def sums(run: Run): Seq[String] =
    run.lines.filter(line => line.startsWith("sum") || line.startsWith("last="))

  private def updates(run: Run): Seq[String] = run.lines.filter(_.startsWith("update="))

  test("with never, each block goes the way it goes in stock Spark", Slow) {
    val args = Seq("9", "MEMORY_ONLY")
    val never = generations(Dist.patched, "local[1]", Some("never"), args: _*)
    val stock = generations(Dist.stock, "local[1]", None, args: _*)
    PatchReport.assertPatched(never, "driver")
    PatchReport.assertStock(stock, "driver")
    assert(updates(never) == updates(stock))
    assert(sums(never) == sums(stock))
    assert(Apps.result(never, "computed") == Apps.result(stock, "computed"))

    // The same comparison tells always from stock.
    val always = generations(Dist.patched, "local[1]", Some("always"), args: _*)
    assert(updates(always) != updates(stock))
    assert(sums(always) == sums(stock))
    assert(Apps.result(always, "computed").toInt == 9 * 8)
    assert(Apps.result(stock, "computed").toInt > 2 * 9 * 8)

    // Auto computes again what takes less than to write and read, but not what that made dear.
    val auto = generations(Dist.patched, "local[1]", None, args: _*)
    assert(sums(auto) == sums(stock))
    assert(Apps.result(auto, "computed").toInt <= Apps.result(stock, "computed").toInt, auto)
  }

  test("on executors, with replicas, and when an executor ends in the middle") {
    Closing(new StandaloneCluster(Dist.patched, directory("cluster"))) { cluster =>
      val replicated = generations(Dist.patched, cluster.url, Some("always"), "8", "MEMORY_ONLY_2")
      assert(Apps.result(replicated, "computed").toInt == 8 * 8, replicated)
      val halted = generations(Dist.patched, cluster.url, None, "8", "MEMORY_ONLY", "HALT")
      assert(sums(halted) == sums(replicated) && sums(halted).size == 9)
    }
  }

  test("what a decommissioned executor had in memory and on disk isn't computed again", Slow) {
    val decommissioning = Seq(
      "spark.decommission.enabled" -> "true",
      "spark.storage.decommission.enabled" -> "true",
      "spark.storage.decommission.rddBlocks.enabled" -> "true",
      "spark.storage.decommission.replicationReattemptInterval" -> "1s"
    )
    val settings = (short(2) ++ decommissioning) :+ Always
    val run = Submit(Dist.patched, Submit.LocalCluster, "Decommissioned", settings).run(scratch)
    assert(run.exit == 0, run)
    assert(Apps.result(run, "first") == Apps.result(run, "again"), run)
    // In stock Spark the executor never ends: the other one has no room for its blocks.
    assert(Apps.result(run, "onDisk").toLong > Apps.result(run, "inMemory").toLong, run)
    assert(Apps.result(run, "computed").toInt == 96, run)
  }

  /** @param memory of the node for all its processes, as a site's module says it */
  private def inMemoryFiles(memory: Option[Long]): Run = {
    val directory = Path.of("/dev/shm", scratch.getFileName.toString)
    Files.createDirectories(directory)
    try {
      val settings = short(64) :+ ("spark.local.dir" -> directory.toString) :+ Always
      val submit = Submit(
        Dist.patched,
        "local[2]",
        "CachedInMemoryFiles",
        settings,
        Seq("100"),
        Seq("--driver-memory", "512m")
      )
      val run = submit.run(scratch, memory.map("SPARK_HPC_MEMORY" -> _.toString).toMap)
      assert(run.exit == 0, run)
      assert(run.lines.filter(_.startsWith("sum")) == Seq(1, 2).map(n => s"sum$n=2.5952256E9"), run)
      run
    } finally Files.deleteIfExists(directory): Unit
  }

  test("in a tmpfs, spilled blocks fill no more than the node's memory allows this process") {
    def fileBytes(run: Run): Long = Apps.result(run, "fileBytes").toLong
    val plenty = inMemoryFiles(None)
    assert(fileBytes(plenty) > (300L << 20), plenty)
    assert(Apps.result(plenty, "computed").toInt == 100, plenty)
    // Half of what heap and overhead leave: 64 MiB.
    val little = inMemoryFiles(Some((512L + 384 + 128) << 20))
    assert(fileBytes(little) > (32L << 20) && fileBytes(little) < (80L << 20), little)
    // What isn't written is dropped, as in stock.
    assert(Apps.result(little, "computed").toInt > 150, little)
  }

  private lazy val edges: Path = {
    val output = scratch.resolve("edges")
    val args = Seq("--scale", "12", "--output", output.toString)
    val run = Run(example("Rmat", "local[2]", Nil, args), scratch)
    assert(run.exit == 0, run)
    output
  }

  private def pageRank(engine: String, settings: Seq[(String, String)]): Run = {
    val args = Seq("--iterations", "8", "--partitions", "8", edges.toString)
    val all = settings :+ ("spark.hpc.graphx.engine" -> engine)
    val run = Run(example("PageRank", "local[2]", all, args), scratch)
    assert(run.exit == 0, run)
    run
  }

  private def bytesRead(run: Run): Seq[Long] =
    run.lines.collect { case Iteration(bytes) => bytes.toLong }

  private def ranking(run: Run): Seq[String] =
    run.lines.filter(_.matches("\\s+\\d+\\s+[\\d.]+\\s+\\d+"))

  test(
    "GraphX's own PageRank reads no more when memory is short, where stock's eviction reads ever more",
    Slow
  ) {
    val roomy = pageRank("stock", short(200))
    val scarce = pageRank("stock", short(3) :+ Always)
    val dropping = pageRank("stock", short(3) :+ ("spark.hpc.retention.spill" -> "never"))
    // Drops what it finds to take less to compute than to write, whatever that reads: how much depends on the disk.
    val auto = pageRank("stock", short(3))
    val runs = Seq(roomy, scarce, dropping, auto)
    for (run <- runs) assert(bytesRead(run).size == 8, run)
    for ((less, more) <- bytesRead(roomy).zip(bytesRead(scarce)))
      assert(more <= 1.05 * less, scarce)
    assert(bytesRead(dropping).last > 2 * bytesRead(roomy).last, dropping)
    assert(bytesRead(auto).sum < bytesRead(dropping).sum, auto)
    val ranks = runs.map(ranking)
    assert(ranks.head.nonEmpty && ranks.distinct.size == 1)
  }

  test("PageRank in the engine reads no more, either, when its blocks don't fit", Slow) {
    val roomy = pageRank("auto", short(200))
    val scarce = pageRank("auto", short(2))
    assert(bytesRead(roomy).size == 8 && bytesRead(scarce) == bytesRead(roomy), scarce)
    val Evicted = "total: .* evictedBlocks=(\\d+) .*".r
    val evicted = scarce.lines.collectFirst { case Evicted(number) => number.toInt }
    assert(evicted.exists(_ > 0), scarce)
    assert(ranking(roomy).nonEmpty && ranking(scarce) == ranking(roomy))
  }
}

object RetentionSuite {

  /** No broadcast goes when the collector happens to run: it would give room. */
  private val Kept = "spark.cleaner.referenceTracking" -> "false"

  /** What takes less to compute than to write is written, too. */
  private val Always = "spark.hpc.retention.spill" -> "always"

  private val Iteration = "iteration=\\d+ .*shuffleReadBytes=(\\d+) .*".r

  /** So many MiB for cached blocks and shuffles, whatever the heap. */
  private def short(mebibytes: Int): Seq[(String, String)] = Seq(
    "spark.testing.memory" -> (mebibytes * 2L << 20).toString,
    "spark.testing.reservedMemory" -> "0",
    "spark.memory.fraction" -> "0.5",
    "spark.storage.unrollMemoryThreshold" -> "16384"
  )

  private def example(
      program: String,
      master: String,
      settings: Seq[(String, String)],
      args: Seq[String]
  ): Seq[String] =
    Submit.quickly(Dist.patched) ++ Seq("--master", master) ++
      (("spark.ui.enabled" -> "false") +: settings).flatMap { case (key, value) =>
        Seq("--conf", s"$key=$value")
      } ++
      Seq("--class", s"org.apache.spark.examples.hpc.$program") ++
      (Dist.patched.examplesJar.toString +: args)
}
