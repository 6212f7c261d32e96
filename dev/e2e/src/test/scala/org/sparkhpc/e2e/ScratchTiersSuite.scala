package org.sparkhpc.e2e

import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Executors on a cluster whose scratch is several times the first of its two tiers. */
class ScratchTiersSuite extends AnyFunSuite with Scratch {
  import ScratchTiersSuite._

  private def scratchful(
      cluster: StandaloneCluster,
      files: Path,
      settings: (String, String)*
  ): Run =
    Submit(
      Dist.patched,
      cluster.url,
      "Scratchful",
      plain ++ settings,
      Seq(files.toString)
    ).run(scratch)

  test("what is more than the memory tier goes on in the next, with Spark's result") {
    val memory = Paths.get("/dev/shm", scratch.getFileName.toString)
    val disk = directory("disk")
    Closing(new StandaloneCluster(Dist.patched, directory("cluster"))) { cluster =>
      val asSpark = scratchful(cluster, cluster.daemons.work)
      // Cached blocks and spills of each of two executors take several times as much.
      val tiers = s"memory:$memory?capacity=200k,local:$disk"
      val inTiers = scratchful(cluster, disk, "spark.hpc.scratch" -> tiers)
      for (run <- Seq(asSpark, inTiers)) PatchReport.assertPatched(run, "0", "1", "driver")
      assert(Apps.result(inTiers, "result") == Apps.result(asSpark, "result"), inTiers)

      val Seq(first, second) = cluster.executorLogs.filter(_.contains(s"spark.hpc.scratch=$tiers"))
      for (log <- Seq(first, second)) {
        assert(log.contains(s"1. memory $memory/spark-hpc-"), log)
        assert(log.contains(s"Scratch files go on in local $disk/spark-hpc-"), log)
        assert(!log.contains("FetchFailed"), log)
      }
      // Host-local reads found each executor's outputs below the other's home.
      assert(Apps.result(inTiers, "shuffles") == Apps.result(asSpark, "shuffles"), inTiers)
    }
    def left: Seq[Path] = Seq(memory, disk).flatMap(list)
    Patience.until("removal of the tiers' directories")(Some(()).filter(_ => left.isEmpty))(
      left.mkString("\n")
    )
    Files.delete(memory)
  }

  private def list(directory: Path): Seq[Path] =
    Closing(Files.list(directory))(_.iterator().asScala.toList)
}

object ScratchTiersSuite {

  /** Compression hides a word; and few records must spill. */
  private val plain = Seq(
    "spark.shuffle.compress" -> "false",
    "spark.shuffle.spill.compress" -> "false",
    "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1000"
  )
}
