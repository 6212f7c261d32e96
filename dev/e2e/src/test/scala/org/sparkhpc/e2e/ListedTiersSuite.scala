package org.sparkhpc.e2e

import java.nio.file.{Files, Path}

import scala.collection.JavaConverters._
import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite

/** Who lists the directory of a shared file system in which each process has its own. */
class ListedTiersSuite extends AnyFunSuite with Scratch {

  private lazy val pfs =
    new Pfs(directory("pfs"), settings = Seq("--classes", "parent=tiers*"))

  override protected def afterAll(): Unit =
    try pfs.close()
    finally super.afterAll()

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def submit(program: String, master: String, tiers: Option[Path], args: String*): Submit =
    Submit(
      dist,
      master,
      program,
      tiers.toSeq.map(path => "spark.hpc.scratch.tiers" -> s"global:$path"),
      args
    )

  private def run(submit: Submit, env: (String, String)*): Run = {
    val run = submit.run(scratch, env.toMap)
    assert(run.exit == 0 && Apps.result(run, "sums") == "273 247 260", run)
    run
  }

  private def listings: Int = pfs.listings("parent")

  /** What is in a directory, as the file system itself has it. */
  private def names(path: Path): Seq[String] = {
    val there = pfs.backing(path)
    if (!Files.exists(there)) Nil
    else Closing(Files.list(there))(_.iterator().asScala.map(_.getFileName.toString).toList)
  }

  test("one process of a node, and what was killed is deleted without another look") {
    val tiers = Path.of(pfs.mount, "tiers")
    val before = listings
    val killed = Started(submit("Idle", Submit.LocalCluster, Some(tiers)).command, scratch)
    val left =
      try Patience.until("a directory of each process", 120.seconds) {
          assert(killed.isAlive, killed.said)
          // Of the driver and two executors.
          Some(names(tiers)).filter(_.size == 3)
        }(killed.said)
      finally killed.kill()
    assert(names(tiers).toSet == left.toSet)
    val run = this.run(submit("ShuffleManagers", "local[2]", Some(tiers)))
    for (name <- left)
      assert(run.err.contains(s"Deleted $tiers/$name: the process that created it"), run)
    assert(names(tiers).isEmpty)
    assert(listings - before == 1)
  }

  test("nobody, where the node's own process has made it") {
    val tiers = Files.createDirectory(Path.of(pfs.mount, "tiers-of-a-job"))
    val before = listings
    val withExecutor = submit("ShuffleManagers", "local-cluster[1,2,1024]", None, "1")
    val run = this.run(withExecutor, "SPARK_HPC_SCRATCH" -> tiers.toString)
    assert(run.err.contains(s"SPARK_HPC_SCRATCH=$tiers is used"), run)
    assert(names(tiers).isEmpty)
    assert(listings == before)
  }
}
