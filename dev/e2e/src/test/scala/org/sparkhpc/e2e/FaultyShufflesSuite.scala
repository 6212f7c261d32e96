package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** Map outputs on an emulated Lustre whose requests fail, or whose client is evicted. */
class FaultyShufflesSuite extends AnyFunSuite with Scratch {
  import FaultyShufflesSuite._

  private lazy val base = directory("pfs")
  private lazy val pfs = new Pfs(base)

  override protected def afterAll(): Unit =
    try pfs.close()
    finally super.afterAll()

  private def shuffles(durability: String, faults: String*): Run = {
    val settings = Seq(
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> s"${pfs.mount}/$durability",
      "spark.hpc.shuffle.durability" -> durability
    )
    val testbed = Dist.root.resolve("dev/testbed/testbed").toString
    // Four attempts for each task.
    val run = Submit(
      Dist.patched,
      "local[2, 4]",
      "FaultyShuffles",
      settings,
      Seq(testbed, base.toString) ++ faults
    ).run(scratch)
    assert(run.exit == 0, run)
    assert(Closing(Files.list(Path.of(pfs.mount, durability)))(_.count()) == 0, run)
    run
  }

  private def maps(run: Run, name: String): Int = {
    assert(Apps.result(run, s"$name.sums") == Sums, run)
    Apps.result(run, s"$name.maps").toInt
  }

  test("requests that fail once cost one more attempt; what fails always is one clear error") {
    val run = shuffles(
      "executor",
      "nothing map clear",
      "space map fault ENOSPC --kind write --times 1",
      "quota map fault EDQUOT --kind create --times 1",
      "device map fault EIO --kind write --times 1",
      "evicted between evict 0",
      "full map fault ENOSPC --kind create"
    )
    assert(maps(run, "nothing") == Maps)
    for (name <- Seq("space", "quota", "device")) assert(maps(run, name) > Maps, name)
    assert(maps(run, "evicted") > Maps)
    assert(Apps.result(run, "full.sums") == "none")
    val failure = Apps.result(run, "full.failure")
    assert(failure.contains("No space left on device") && failure.contains(pfs.mount), failure)
  }

  test("durable map outputs: an error as they are synchronized, and a client that is evicted") {
    val run = shuffles(
      "node",
      "synchronized map fault EIO --kind fsync --times 1",
      "evicted between evict 0"
    )
    assert(maps(run, "synchronized") > Maps)
    // The eviction's own error may come to a reader, which reads again.
    assert(maps(run, "evicted") == Maps)
  }
}

object FaultyShufflesSuite {
  private val Maps = 8

  /** Of the numbers below 16,000, by their remainder of 100. */
  private val Sums = (0L until 100L)
    .map(rest => (rest, (rest until 16000L by 100L).sum))
    .sorted.mkString(" ")
}
