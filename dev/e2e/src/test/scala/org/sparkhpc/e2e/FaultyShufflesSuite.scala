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

  /** An application's settings and faults. */
  private def application(durability: String, faults: String*): String = {
    val settings = Seq(
      "spark.hpc.shuffle.placement=global",
      s"spark.hpc.shuffle.directory=${pfs.mount}/$durability",
      s"spark.hpc.shuffle.durability=$durability"
    )
    (settings.mkString(" ") +: faults).mkString(";")
  }

  /** Two applications, one after the other. */
  private lazy val shuffles: Run = {
    val applications = Seq(
      application(
        "executor",
        "nothing map clear",
        "space map fault ENOSPC --kind write --times 1",
        "quota map fault EDQUOT --kind create --times 1",
        "device map fault EIO --kind write --times 1",
        "evicted between evict 0",
        "full map fault ENOSPC --kind create"
      ),
      application(
        "node",
        "synchronized map fault EIO --kind fsync --times 1",
        "node-evicted between evict 0"
      )
    )
    // Four attempts for each task.
    val run = Submit(
      Dist.patched,
      "local[2, 4]",
      "FaultyShuffles",
      args = Seq(Testbed.of("pfs"), base.toString) ++ applications
    ).run(scratch)
    assert(run.exit == 0, run)
    run
  }

  private def assertLeftNothing(durability: String): Unit =
    assert(Closing(Files.list(Path.of(pfs.mount, durability)))(_.count()) == 0, shuffles)

  private def maps(name: String): Int = {
    assert(Apps.result(shuffles, s"$name.sums") == Sums, shuffles)
    Apps.result(shuffles, s"$name.maps").toInt
  }

  test("requests that fail once cost one more attempt; what fails always is one clear error") {
    assert(maps("nothing") == Maps)
    for (name <- Seq("space", "quota", "device")) assert(maps(name) > Maps, name)
    assert(maps("evicted") > Maps)
    assert(Apps.result(shuffles, "full.sums") == "none")
    val failure = Apps.result(shuffles, "full.failure")
    assert(failure.contains("No space left on device") && failure.contains(pfs.mount), failure)
    assertLeftNothing("executor")
  }

  test("durable map outputs: an error as they are synchronized, and a client that is evicted") {
    assert(maps("synchronized") > Maps)
    // The eviction's own error may come to a reader, which reads again.
    assert(maps("node-evicted") == Maps)
    assertLeftNothing("node")
  }
}

object FaultyShufflesSuite {
  private val Maps = 8

  /** Of the numbers below 16,000, by their remainder of 100. */
  val Sums: String = (0L until 100L)
    .map(rest => (rest, (rest until 16000L by 100L).sum))
    .sorted.mkString(" ")
}
