package org.sparkhpc.e2e

import java.nio.file.{Files, Path}
import java.nio.file.attribute.PosixFilePermissions

import org.scalatest.funsuite.AnyFunSuite

/** A tier that is said to be global, on a cluster whose workers may see something else there. */
class GlobalTierSuite extends AnyFunSuite with Scratch {

  /** What each of two executors says of it in the end. */
  private def proven(name: String, tier: Path, as: Seq[String]): Seq[String] = {
    val metrics = new CsvMetrics(directory(s"$name-csv"))
    Closing(new StandaloneCluster(Dist.patched, directory(name), as)) { cluster =>
      val run = Submit(
        Dist.patched,
        cluster.url,
        "Scratchful",
        Seq("spark.hpc.scratch" -> s"local:${cluster.daemons.work},global:$tier"),
        Seq(tier.toString),
        metrics.options
      ).run(scratch)
      assert(run.exit == 0, run)
      val isSaid = cluster.executorLogs.map(_.contains("driver has there: it is global"))
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

  test("stripes are set once on each process's directory, by a command that stands in for lfs") {
    val tier = directory("striped")
    val commands = directory("commands")
    val said = commands.resolve("said")
    val lfs = Files.write(commands.resolve("lfs"), s"""#!/bin/sh\necho "$$*" >>$said\n""".getBytes)
    Files.setPosixFilePermissions(lfs, PosixFilePermissions.fromString("rwx------"))
    val run = Submit(
      Dist.patched,
      "local[2]",
      "Scratchful",
      Seq("spark.hpc.scratch" -> s"global:$tier?stripes=4"),
      Seq(tier.toString)
    ).run(scratch, Map("PATH" -> s"$commands:${sys.env("PATH")}"))
    assert(run.exit == 0, run)
    val lines = Run.read(said).linesIterator.toSeq
    assert(lines.size == 1 && lines.head.startsWith(s"setstripe -c 4 $tier/spark-hpc-"), lines)
  }
}
