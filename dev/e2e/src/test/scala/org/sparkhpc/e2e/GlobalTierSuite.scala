package org.sparkhpc.e2e

import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions

import org.scalatest.funsuite.AnyFunSuite

/** A tier that is said to be global, on a cluster whose workers may see something else there. */
class GlobalTierSuite extends AnyFunSuite with Scratch {
  import GlobalTierSuite._

  private lazy val dist = Dist.patched.placedIn(scratch.resolve("dist"))
  private lazy val Seq(shared, path, outlived) =
    Seq("shared", "path", "outlived").map(directory)

  private def metrics(name: String): CsvMetrics = new CsvMetrics(directory(s"$name-csv"))

  private lazy val isRoot = Files.isWritable(scratch.getRoot)

  /** Before daemons: they have another directory at one of the paths. */
  private lazy val namespace: Seq[String] = {
    val mount = s"""mount --bind ${directory("other")} $path && exec "$$@""""
    Seq("unshare", "--mount", "--propagation", "private", "sh", "-c", mount, "sh")
  }

  private def scratchful(cluster: StandaloneCluster): Submit = Submit(
    dist,
    cluster.url,
    "Scratchful",
    Seq(
      // The proof of the last one may take longer than the program.
      "spark.hpc.scratch.tiers" -> s"local:${cluster.daemons.work},global:$shared,global:$path",
      "spark.executor.cores" -> "1"
    ),
    Seq(shared.toString),
    metrics("proven").options
  )

  private def losing: Submit = Submit(
    dist,
    Submit.LocalCluster,
    "Outlived",
    Seq(
      "spark.hpc.scratch.tiers" -> s"global:$outlived",
      // As everywhere but in a local cluster.
      "spark.shuffle.readHostLocalDisk" -> "true",
      "spark.executor.cores" -> "1"
    ),
    Seq(outlived.toString, directory("notes").toString)
  )

  /** One after the other in one driver, and the logs of the first one's executors. */
  private lazy val (runs, logs) = {
    val as = if (isRoot) namespace else Nil
    Closing(new StandaloneCluster(dist, directory("cluster"), as, 1, OneWorker)) { cluster =>
      val runs = InTurn(scratch)("proven" -> scratchful(cluster), "outlived" -> losing)
      (runs, cluster.executorLogs)
    }
  }

  /** Whether each of two executors has found the tier of this number to be global, and says so. */
  private def assertProven(tier: Path, number: Int, proven: Boolean): Unit = {
    val said = logs.map { log =>
      val lines = log.linesIterator.filter(_.contains(s" $tier/"))
      lines.exists(_.contains("the same directory as the driver's"))
    }
    assert(said == Seq(proven, proven), logs)
    val metric = s"hpc.scratch.$number.global.proven"
    val values = Seq("0", "1").map(metrics("proven").values(_, metric).last)
    assert(values == said.map(is => if (is) "1" else "0"), runs("proven"))
  }

  test("a directory that driver and executors share is global") {
    assertProven(shared, 2, proven = true)
  }

  test("the same path with another directory on the workers' node isn't") {
    Needs(isRoot, "root to mount")
    assertProven(path, 3, proven = false)
  }

  test("cached blocks outlive the executor that is killed: others read them, and compute nothing") {
    val run = runs("outlived")
    assert(run.lines.count(_ == s"sums=$sums") == 2, run)
    assert(Apps.result(run, "again") == "0" && Apps.result(run, "left") == "0", run)
    // Of the metric for this (SharedReadsSuite), the last value is written while the executor ends, or not at all.
    val victim = Apps.result(run, "victim")
    val read = s"Read rdd_\\S+ from $outlived/\\S+, where executor $victim put it".r
    val said = FilesBelow(dist.home.resolve("work")).filter(_.endsWith("stderr")).map(Run.read)
    assert(said.exists(read.findFirstIn(_).nonEmpty), run)
    // The killed executor's own is deleted by the next process there.
    val ofDriver = "1\\. global (/\\S+) ".r.findFirstMatchIn(run.err).map(_.group(1)).get
    assert(!Files.exists(Path.of(ofDriver)))
  }

  test(
    "stripes are set once on each process's directory and on that of an application's map " +
      "outputs, by a command that stands in for lfs"
  ) {
    val Seq(tier, outputs, commands) = Seq("striped", "outputs", "commands").map(directory)
    val said = commands.resolve("said")
    val lfs = Files.write(commands.resolve("lfs"), s"""#!/bin/sh\necho "$$*" >>$said\n""".getBytes)
    Files.setPosixFilePermissions(lfs, PosixFilePermissions.fromString("rwx------"))
    val settings = Seq(
      "spark.hpc.scratch.tiers" -> s"global:$tier?stripes=4",
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> s"$outputs?stripes=8"
    )
    val run = Submit(dist, "local[2]", "Scratchful", settings, Seq(tier.toString))
      .run(scratch, Map("PATH" -> s"$commands:${sys.env("PATH")}"))
    assert(run.exit == 0, run)
    val lines = Run.read(said).linesIterator.toSeq.sorted
    assert(lines.size == 2, lines)
    assert(lines.head.startsWith(s"setstripe -c 4 $tier/spark-hpc-"), lines)
    assert(lines.last.startsWith(s"setstripe -c 8 $outputs/spark-hpc-"), lines)
  }
}

object GlobalTierSuite {

  /** Which has room for both executors. */
  private val OneWorker = Map("SPARK_WORKER_CORES" -> "2", "SPARK_WORKER_MEMORY" -> "2g")

  /** Of the numbers below 16,000, by their remainder of 100. */
  private val sums = (0L until 100L)
    .map(rest => (rest, (rest until 16000L by 100L).sum))
    .sorted.mkString(" ")
}
