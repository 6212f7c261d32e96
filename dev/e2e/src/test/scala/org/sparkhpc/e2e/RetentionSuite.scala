package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Programs that cache more than fits: nothing is computed twice, and results are stock Spark's. */
class RetentionSuite extends AnyFunSuite with Scratch {
  import RetentionSuite._

  private def generations(dist: Dist, spill: (String, String)*): Submit = {
    val settings = (short(2) ++ spill) :+ Kept
    Submit(dist, "local[1]", "Generations", settings, Seq("9", "MEMORY_ONLY"))
  }

  private def sums(run: Run, prefix: String = ""): Seq[String] =
    run.lines.filter(_.startsWith(prefix)).map(_.stripPrefix(prefix))
      .filter(line => line.startsWith("sum") || line.startsWith("last="))

  private def updates(run: Run): Seq[String] = run.lines.filter(_.startsWith("update="))

  test("with never, each block goes the way it goes in stock Spark", Slow) {
    val ours = InTurn(scratch)(
      "never" -> generations(Dist.patched, Never),
      "always" -> generations(Dist.patched, Always),
      "auto" -> generations(Dist.patched)
    )
    val stock = generations(Dist.stock).run(scratch)
    assert(stock.exit == 0, stock)
    val never = ours("never")
    PatchReport.assertPatched(never, "driver")
    PatchReport.assertStock(stock, "driver")
    assert(updates(never) == updates(stock))
    assert(sums(never) == sums(stock))
    assert(Apps.result(never, "computed") == Apps.result(stock, "computed"))

    // The same comparison tells always from stock.
    val always = ours("always")
    assert(updates(always) != updates(stock))
    assert(sums(always) == sums(stock))
    assert(Apps.result(always, "computed").toInt == 9 * 8)
    assert(Apps.result(stock, "computed").toInt > 2 * 9 * 8)

    // Auto computes again what takes less than to write and read, but not what that made dear.
    val auto = ours("auto")
    assert(sums(auto) == sums(stock))
    assert(Apps.result(auto, "computed").toInt <= Apps.result(stock, "computed").toInt, auto)
  }

  private lazy val memory = Path.of("/dev/shm", scratch.getFileName.toString)

  /** It leaves nothing there. */
  private def withMemory[A](run: => A): A = {
    Files.createDirectories(memory)
    try run
    finally Files.deleteIfExists(memory): Unit
  }

  private def cachedInMemoryFiles: Submit = {
    val settings = short(64) :+ ("spark.local.dir" -> memory.toString) :+ Always
    Submit(Dist.patched, "local[2]", "CachedInMemoryFiles", settings, Seq("60"))
  }

  private def lostCaches: Submit = {
    val decommissioning = Seq(
      "spark.decommission.enabled" -> "true",
      "spark.storage.decommission.enabled" -> "true",
      "spark.storage.decommission.rddBlocks.enabled" -> "true",
      "spark.storage.decommission.replicationReattemptInterval" -> "1s"
    )
    val settings = (short(2) ++ decommissioning) :+ Always
    Submit(Dist.patched, Submit.LocalCluster, "LostCaches", settings)
  }

  private lazy val spilling: Map[String, Run] = withMemory {
    InTurn(scratch, SmallHeap)("executors" -> lostCaches, "plenty" -> cachedInMemoryFiles)
  }

  test("on executors: with replicas, when one is decommissioned, and when one ends in the middle") {
    val run = spilling("executors")
    assert(Apps.result(run, "replicated.computed").toInt == 8 * 8, run)

    // What the decommissioned one had in memory and on disk isn't computed again.
    assert(Apps.result(run, "first") == Apps.result(run, "again"), run)
    // In stock Spark the executor never ends: the other one has no room for its blocks.
    assert(Apps.result(run, "onDisk").toLong > Apps.result(run, "inMemory").toLong, run)
    assert(Apps.result(run, "computed").toInt == 96, run)

    val halted = sums(run, "halted.")
    assert(halted == sums(run, "replicated.") && halted.size == 9, run)
  }

  test("in a tmpfs, spilled blocks fill no more than the node's memory allows this process") {
    def fileBytes(run: Run): Long = Apps.result(run, "fileBytes").toLong
    val plenty = spilling("plenty")
    assert(fileBytes(plenty) > (140L << 20), plenty)
    assert(Apps.result(plenty, "computed").toInt == 60, plenty)
    // As a site's module says it, for all processes of the node: half of what heap and overhead leave is 64 MiB.
    val ofNode = Map("SPARK_HPC_MEMORY" -> ((512L + 384 + 128) << 20).toString)
    val little = withMemory(cachedInMemoryFiles.copy(options = SmallHeap).run(scratch, ofNode))
    assert(little.exit == 0, little)
    assert(fileBytes(little) > (32L << 20) && fileBytes(little) < (80L << 20), little)
    // What isn't written is dropped, as in stock.
    assert(Apps.result(little, "computed").toInt > 80, little)
    for (run <- Seq(plenty, little))
      assert(run.lines.filter(_.startsWith("sum")) == Seq(1, 2).map(n => s"sum$n=9.2798976E8"), run)
  }

  private lazy val ranked: Map[String, Run] = {
    val edges = scratch.resolve("edges").toString
    def example(program: String, args: Seq[String], settings: (String, String)*): Submit =
      Submit(
        Dist.patched,
        "local[2]",
        s"org.apache.spark.examples.hpc.$program",
        settings,
        args
      )
    def pageRank(engine: String, settings: Seq[(String, String)]): Submit = example(
      "PageRank",
      Seq("--iterations", "8", "--partitions", "8", edges),
      settings :+ ("spark.hpc.graphx.engine" -> engine): _*
    )
    InTurn(scratch)(
      "edges" -> example("Rmat", Seq("--scale", "12", "--output", edges)),
      // What auto does depends on times: it comes first, since code is slow in a program of its own, too.
      "engine.scarce" -> pageRank("auto", short(2)),
      "auto" -> pageRank("stock", short(3)),
      "dropping" -> pageRank("stock", short(3) :+ Never),
      "scarce" -> pageRank("stock", short(3) :+ Always),
      "roomy" -> pageRank("stock", short(200)),
      "engine.roomy" -> pageRank("auto", short(200))
    )
  }

  private def bytesRead(run: Run): Seq[Long] =
    run.lines.collect { case Iteration(bytes) => bytes.toLong }

  private def ranking(run: Run): Seq[String] =
    run.lines.filter(_.matches("\\s+\\d+\\s+[\\d.]+\\s+\\d+"))

  test(
    "GraphX's own PageRank reads no more when memory is short, where stock's eviction reads ever more",
    Slow
  ) {
    val Seq(roomy, scarce, dropping) = Seq("roomy", "scarce", "dropping").map(ranked)
    // Drops what it finds to take less to compute than to write, whatever that reads: how much depends on the disk.
    val auto = ranked("auto")
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
    val Seq(roomy, scarce) = Seq("engine.roomy", "engine.scarce").map(ranked)
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

  private val Never = "spark.hpc.retention.spill" -> "never"

  private val SmallHeap = Seq("--driver-memory", "512m")

  private val Iteration = "iteration=\\d+ .*shuffleReadBytes=(\\d+) .*".r

  /** So many MiB for cached blocks and shuffles, whatever the heap. */
  private def short(mebibytes: Int): Seq[(String, String)] = Seq(
    "spark.testing.memory" -> (mebibytes * 2L << 20).toString,
    "spark.testing.reservedMemory" -> "0",
    "spark.memory.fraction" -> "0.5",
    "spark.storage.unrollMemoryThreshold" -> "16384"
  )
}
