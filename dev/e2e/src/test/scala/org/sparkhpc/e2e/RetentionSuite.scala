package org.sparkhpc.e2e

import java.nio.file.Path

import org.scalatest.funsuite.AnyFunSuite

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

  test("with never, each block goes the way it goes in stock Spark") {
    val args = Seq("9", "MEMORY_ONLY")
    val never = generations(Dist.patched, "local[1]", Some("never"), args: _*)
    val stock = generations(Dist.stock, "local[1]", None, args: _*)
    PatchReport.assertPatched(never, "driver")
    PatchReport.assertStock(stock, "driver")
    assert(updates(never) == updates(stock))
    assert(sums(never) == sums(stock))
    assert(Apps.result(never, "computed") == Apps.result(stock, "computed"))

    // The same comparison tells auto from stock.
    val auto = generations(Dist.patched, "local[1]", None, args: _*)
    assert(updates(auto) != updates(stock))
    assert(sums(auto) == sums(stock))
    assert(Apps.result(auto, "computed").toInt == 9 * 8)
    assert(Apps.result(stock, "computed").toInt > 2 * 9 * 8)
  }

  test("on executors, with replicas, and when an executor ends in the middle") {
    Closing(new StandaloneCluster(Dist.patched, directory("cluster"))) { cluster =>
      val replicated = generations(Dist.patched, cluster.url, None, "8", "MEMORY_ONLY_2")
      assert(Apps.result(replicated, "computed").toInt == 8 * 8, replicated)
      val halted = generations(Dist.patched, cluster.url, None, "8", "MEMORY_ONLY", "HALT")
      assert(sums(halted) == sums(replicated) && sums(halted).size == 9)
    }
  }

  test("what a decommissioned executor had in memory and on disk isn't computed again") {
    val decommissioning = Seq(
      "spark.decommission.enabled" -> "true",
      "spark.storage.decommission.enabled" -> "true",
      "spark.storage.decommission.rddBlocks.enabled" -> "true",
      "spark.storage.decommission.replicationReattemptInterval" -> "1s"
    )
    val settings = short(2) ++ decommissioning
    val run = Submit(Dist.patched, Submit.LocalCluster, "Decommissioned", settings).run(scratch)
    assert(run.exit == 0, run)
    assert(Apps.result(run, "first") == Apps.result(run, "again"), run)
    // In stock Spark the executor never ends: the other one has no room for its blocks.
    assert(Apps.result(run, "onDisk").toLong > Apps.result(run, "inMemory").toLong, run)
    assert(Apps.result(run, "computed").toInt == 96, run)
  }

  private lazy val edges: Path = {
    val output = scratch.resolve("edges")
    val args = Seq("--scale", "12", "--output", output.toString)
    val run = Run(example("Rmat", "local[2]", Nil, args), scratch)
    assert(run.exit == 0, run)
    output
  }

  private def pageRank(settings: Seq[(String, String)]): Run = {
    val args = Seq("--iterations", "8", "--partitions", "8", edges.toString)
    val run = Run(example("PageRank", "local[2]", settings, args), scratch)
    assert(run.exit == 0, run)
    run
  }

  private def bytesRead(run: Run): Seq[Long] =
    run.lines.collect { case Iteration(bytes) => bytes.toLong }

  test("PageRank reads no more when memory is short, where stock's eviction reads ever more") {
    val roomy = pageRank(short(200))
    val scarce = pageRank(short(3))
    val dropping = pageRank(short(3) :+ ("spark.hpc.retention.spill" -> "never"))
    assert(bytesRead(roomy).size == 8)
    for ((less, more) <- bytesRead(roomy).zip(bytesRead(scarce)))
      assert(more <= 1.05 * less, scarce)
    assert(bytesRead(dropping).last > 2 * bytesRead(roomy).last, dropping)
    val Seq(one, two, three) =
      Seq(roomy, scarce, dropping).map(_.lines.filter(_.matches("\\s+\\d+\\s+[\\d.]+\\s+\\d+")))
    assert(one.nonEmpty && one == two && one == three)
  }
}

object RetentionSuite {

  /** No broadcast goes when the collector happens to run: it would give room. */
  private val Kept = "spark.cleaner.referenceTracking" -> "false"

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
    Seq(Dist.patched.bin("spark-submit"), "--master", master) ++
      (("spark.ui.enabled" -> "false") +: settings).flatMap { case (key, value) =>
        Seq("--conf", s"$key=$value")
      } ++
      Seq("--class", s"org.apache.spark.examples.hpc.$program") ++
      (Dist.patched.examplesJar.toString +: args)
}
