package org.sparkhpc.e2e

import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions

import org.scalatest.funsuite.AnyFunSuite

/** A tier that is said to be global, on a cluster whose workers may see something else there. */
class GlobalTierSuite extends AnyFunSuite with Scratch {
  import GlobalTierSuite._

  /** What each of two executors says of it in the end. */
  private def proven(name: String, tier: Path, as: Seq[String]): Seq[String] = {
    val metrics = new CsvMetrics(directory(s"$name-csv"))
    Closing(new StandaloneCluster(Dist.patched, directory(name), as)) { cluster =>
      val run = Submit(
        Dist.patched,
        cluster.url,
        "Scratchful",
        Seq("spark.hpc.scratch.tiers" -> s"local:${cluster.daemons.work},global:$tier"),
        Seq(tier.toString),
        metrics.options
      ).run(scratch)
      assert(run.exit == 0, run)
      val isSaid =
        cluster.executorLogs.map(_.contains("the same directory as the driver's"))
      val values = Seq("0", "1").map(metrics.values(_, "hpc.scratch.2.global.proven").last)
      assert(isSaid == values.map(_ == "1"), values)
      values
    }
  }

  test("a directory that driver and executors share is global") {
    assert(proven("shared", directory("tier"), Nil) == Seq("1", "1"))
  }

  test("the same path with another directory on the workers' node isn't") {
    Needs(Files.isWritable(scratch.getRoot), "root to mount")
    val tier = directory("path")
    val mount = s"""mount --bind ${directory("other")} $tier && exec "$$@""""
    val namespace = Seq("unshare", "--mount", "--propagation", "private", "sh", "-c", mount, "sh")
    assert(proven("private", tier, namespace) == Seq("0", "0"))
  }

  test("cached blocks outlive the executor that is killed: others read them, and compute nothing") {
    val tier = directory("outlived")
    val metrics = new CsvMetrics(directory("outlived-csv"))
    Closing(new StandaloneCluster(Dist.patched, directory("outlived-cluster"))) { cluster =>
      val run = Submit(
        Dist.patched,
        cluster.url,
        "Outlived",
        Seq("spark.hpc.scratch.tiers" -> s"global:$tier", "spark.executor.cores" -> "1"),
        Seq(tier.toString, directory("notes").toString),
        metrics.options
      ).run(scratch)
      assert(run.exit == 0, run)
      assert(run.lines.count(_ == s"sums=$sums") == 2, run)
      assert(Apps.result(run, "again") == "0" && Apps.result(run, "left") == "0", run)
      val survivor = Seq("0", "1").find(_ != Apps.result(run, "victim")).get
      assert(metrics.values(survivor, "hpc.scratch.readOfOthers").last.toLong > 0, run)
      // The killed executor's own is deleted by the next process there.
      val ofDriver = "1\\. global (/\\S+) ".r.findFirstMatchIn(run.err).map(_.group(1)).get
      assert(!Files.exists(Path.of(ofDriver)))
    }
  }

  /** What a command that stands in for lfs is told while a program with this setting runs. */
  private def toldLfs(tier: Path, settings: (String, String)*): Seq[String] = {
    val commands = directory(s"${tier.getFileName}-commands")
    val said = commands.resolve("said")
    val lfs = Files.write(commands.resolve("lfs"), s"""#!/bin/sh\necho "$$*" >>$said\n""".getBytes)
    Files.setPosixFilePermissions(lfs, PosixFilePermissions.fromString("rwx------"))
    val run = Submit(Dist.patched, "local[2]", "Scratchful", settings, Seq(tier.toString))
      .run(scratch, Map("PATH" -> s"$commands:${sys.env("PATH")}"))
    assert(run.exit == 0, run)
    Run.read(said).linesIterator.toSeq
  }

  test("stripes are set once on each process's directory, by a command that stands in for lfs") {
    val tier = directory("striped")
    val lines = toldLfs(tier, "spark.hpc.scratch.tiers" -> s"global:$tier?stripes=4")
    assert(lines.size == 1 && lines.head.startsWith(s"setstripe -c 4 $tier/spark-hpc-"), lines)
  }

  test("they are set on the directory of an application's map outputs, too") {
    val directories = directory("striped-outputs")
    val outputs = Files.createDirectory(directories.resolve("spark"))
    val lines = toldLfs(
      directories,
      "spark.hpc.scratch.tiers" -> s"local:$directories",
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> s"$outputs?stripes=8"
    )
    assert(lines.size == 1 && lines.head.startsWith(s"setstripe -c 8 $outputs/spark-hpc-"), lines)
  }
}

object GlobalTierSuite {

  /** Of the numbers below 16,000, by their remainder of 100. */
  private val sums = (0L until 100L)
    .map(rest => (rest, (rest until 16000L by 100L).sum))
    .sorted.mkString(" ")
}
