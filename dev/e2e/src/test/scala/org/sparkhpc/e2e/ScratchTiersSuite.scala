package org.sparkhpc.e2e

import java.nio.file.{Files, Path, Paths}

import scala.collection.JavaConverters._

import org.scalatest.funsuite.AnyFunSuite

/** Executors whose scratch is several times the first of its two tiers. */
class ScratchTiersSuite extends AnyFunSuite with Scratch {
  import ScratchTiersSuite._

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))

  private def memory(name: String): Path =
    Paths.get("/dev/shm", s"${scratch.getFileName}-$name")

  private def disk(name: String): Path = directory(s"disk-$name")

  override protected def afterAll(): Unit =
    try InMemory.foreach(name => Files.deleteIfExists(memory(name)))
    finally super.afterAll()

  private def tiers(name: String, capacity: String): String =
    s"memory:${memory(name)}?capacity=$capacity,local:${disk(name)}"

  /** @param files the directory in which it looks for files */
  private def scratchful(files: Path, settings: (String, String)*): Submit =
    Submit(dist, Submit.LocalCluster, "Scratchful", plain ++ settings, Seq(files.toString))

  /** Spark's own shuffle writes no containers. */
  private def sorting(name: String, capacity: String, files: Path): Submit =
    scratchful(files, Sort, "spark.hpc.scratch.tiers" -> tiers(name, capacity))

  /** One after the other in one driver. */
  private lazy val runs: Map[String, Run] = {
    // Its result is the same wherever its tasks run.
    val inLocalDir = scratchful(disk("none"), Sort, "spark.local.dir" -> disk("none").toString)
      .copy(master = "local[2]")
    val contained = Seq(
      "spark.hpc.scratch.tiers" -> tiers("contained", "40m"),
      "spark.shuffle.manager" -> "org.apache.spark.shuffle.hpc.HpcShuffleManager"
    )
    val local = Seq("first", "second").map(name => s"local:${directory(name)}").mkString(",")
    val neighbours = Executors :+ ("spark.hpc.scratch.tiers" -> local)
    InTurn(scratch)(
      "asSpark" -> inLocalDir,
      // Cached blocks and spills of each of two executors take several times as much.
      "overflowing" -> sorting("overflowing", "200k", disk("overflowing")),
      "sorted" -> sorting("sorted", "40m", memory("sorted")),
      "contained" -> scratchful(memory("contained"), contained: _*),
      "neighbours" -> Submit(dist, Submit.LocalCluster, "Neighbours", neighbours)
    )
  }

  private def logs(name: String): Seq[String] = ExecutorLogs.of(dist, runs(name)).values.toSeq

  test("what is more than the memory tier goes on in the next, with Spark's result") {
    val (asSpark, inTiers) = (runs("asSpark"), runs("overflowing"))
    PatchReport.assertPatched(asSpark, "driver")
    PatchReport.assertPatched(inTiers, "0", "1", "driver")
    assert(Apps.result(inTiers, "result") == Apps.result(asSpark, "result"), inTiers)

    val Seq(first, second) = logs("overflowing")
    for (log <- Seq(first, second)) {
      assert(log.contains(s"1. memory ${memory("overflowing")}/spark-hpc-"), log)
      assert(log.contains(s"Scratch files go on in local ${disk("overflowing")}/spark-hpc-"), log)
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
    assertLeftNothing("overflowing")
  }

  test(
    "map outputs in containers go to the tiers, too, and are read by executors of the same node"
  ) {
    val (asSpark, contained) = (runs("sorted"), runs("contained"))
    assert(Apps.result(contained, "result") == Apps.result(asSpark, "result"), contained)
    def outputs(run: Run): Int =
      Apps.result(run, "shuffles").stripPrefix("Found(").takeWhile(_.isDigit).toInt
    assert(outputs(asSpark) == 0 && outputs(contained) > 0, contained)
    val said = logs("contained")
    assert(said.exists(HostLocal.findFirstIn(_).nonEmpty), said.mkString)
    assert(!said.exists(_.contains("FetchFailed")), said.mkString)
    Seq("sorted", "contained").foreach(assertLeftNothing)
  }

  private def assertLeftNothing(name: String): Unit = {
    def left: Seq[Path] = Seq(memory(name), disk(name)).flatMap(list)
    Patience.until("removal of the tiers' directories")(Some(()).filter(_ => left.isEmpty))(
      left.mkString("\n")
    )
  }

  test("executors of one node read each other's cached blocks where their tiers have them") {
    val run = runs("neighbours")
    assert(Apps.result(run, "sum") == "127992000" && Apps.result(run, "again") == "0", run)
    val reads = logs("neighbours").flatMap(_.linesIterator)
      .filter(_.contains("Read rdd_")).map(_.split(" is ").last)
    assert(reads.nonEmpty && reads.forall(_ == "successful."), logs("neighbours"))
  }

  private def list(directory: Path): Seq[Path] =
    Closing(Files.list(directory))(_.iterator().asScala.toList)
}

object ScratchTiersSuite {
  private val HostLocal = "and [1-9][0-9]* \\([^)]*\\) host-local".r

  /** The runs that have a tier in memory. */
  private val InMemory = Seq("overflowing", "sorted", "contained")

  private val Sort = "spark.shuffle.manager" -> "sort"

  /** Both begin, and each reads the other's files, as everywhere but in a local cluster. */
  private val Executors =
    StandaloneCluster.Both :+ ("spark.shuffle.readHostLocalDisk" -> "true")

  /** Compression hides a word; and few records must spill. */
  private val plain = Executors ++ Seq(
    "spark.shuffle.compress" -> "false",
    "spark.shuffle.spill.compress" -> "false",
    "spark.shuffle.spill.numElementsForceSpillThreshold" -> "1000"
  )
}
