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
      val inTiers = scratchful(cluster, disk, "spark.hpc.scratch.tiers" -> tiers)
      for (run <- Seq(asSpark, inTiers)) PatchReport.assertPatched(run, "0", "1", "driver")
      assert(Apps.result(inTiers, "result") == Apps.result(asSpark, "result"), inTiers)

      val Seq(first, second) =
        cluster.executorLogs.filter(_.contains(s"spark.hpc.scratch.tiers=$tiers"))
      for (log <- Seq(first, second)) {
        assert(log.contains(s"1. memory $memory/spark-hpc-"), log)
        assert(log.contains(s"Scratch files go on in local $disk/spark-hpc-"), log)
        assert(!log.contains("FetchFailed"), log)
      }
      // On the driver's console, once for all executors.
      def onConsole(what: String): Int = what.r.findAllIn(inTiers.err).size
      assert(
        onConsole("WARN ToldNotices: Scratch files go on in local .* \\(on executor [01], ") == 1,
        inTiers
      )
      // Host-local reads found each executor's outputs below the other's home.
      assert(Apps.result(inTiers, "shuffles") == Apps.result(asSpark, "shuffles"), inTiers)
    }
    assertLeftNothing(memory, disk)
  }

  test(
    "map outputs in containers go to the tiers, too, and are read by executors of the same node"
  ) {
    val memory = Paths.get("/dev/shm", s"${scratch.getFileName}-outputs")
    val disk = directory("disk-outputs")
    Closing(new StandaloneCluster(Dist.patched, directory("cluster-outputs"))) { cluster =>
      val tiers = "spark.hpc.scratch.tiers" -> s"memory:$memory?capacity=40m,local:$disk"
      val manager =
        "spark.shuffle.manager" -> "org.apache.spark.shuffle.hpc.HpcShuffleManager"
      val Seq(asSpark, contained) =
        Seq(Seq(tiers), Seq(tiers, manager)).map(scratchful(cluster, memory, _: _*))
      assert(Apps.result(contained, "result") == Apps.result(asSpark, "result"), contained)
      def outputs(run: Run): Int =
        Apps.result(run, "shuffles").stripPrefix("Found(").takeWhile(_.isDigit).toInt
      assert(outputs(asSpark) == 0 && outputs(contained) > 0, contained)
      val logs = cluster.executorLogs.takeRight(2)
      assert(logs.exists(HostLocal.findFirstIn(_).nonEmpty), logs.mkString)
      assert(!logs.exists(_.contains("FetchFailed")), logs.mkString)
    }
    assertLeftNothing(memory, disk)
  }

  private def assertLeftNothing(memory: Path, disk: Path): Unit = {
    def left: Seq[Path] = Seq(memory, disk).flatMap(list)
    Patience.until("removal of the tiers' directories")(Some(()).filter(_ => left.isEmpty))(
      left.mkString("\n")
    )
    Files.delete(memory)
  }

  test("executors of one node read each other's cached blocks where their tiers have them") {
    val Seq(first, second) = Seq("first", "second").map(directory)
    Closing(new StandaloneCluster(Dist.patched, directory("neighbours"))) { cluster =>
      val tiers = s"local:$first,local:$second"
      val run =
        Submit(
          Dist.patched,
          cluster.url,
          "Neighbours",
          StandaloneCluster.Both :+ ("spark.hpc.scratch.tiers" -> tiers)
        ).run(scratch)
      assert(Apps.result(run, "sum") == "127992000" && Apps.result(run, "again") == "0", run)
      val reads = cluster.executorLogs.flatMap(_.linesIterator)
        .filter(_.contains("Read rdd_")).map(_.split(" is ").last)
      assert(reads.nonEmpty && reads.forall(_ == "successful."), cluster.executorLogs)
    }
  }

  private def list(directory: Path): Seq[Path] =
    Closing(Files.list(directory))(_.iterator().asScala.toList)
}

object ScratchTiersSuite {
  private val HostLocal = "and [1-9][0-9]* \\([^)]*\\) host-local".r

  /** Compression hides a word; and few records must spill. */
  private val plain = StandaloneCluster.Both ++ Seq(
    "spark.shuffle.manager" -> "sort",
    "spark.shuffle.compress" -> "false",
    "spark.shuffle.spill.compress" -> "false",
    "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1000"
  )
}
