package org.sparkhpc.e2e

import org.scalatest.Assertions

/** The lines of PatchCheck: which classes a process of the application keeps its blocks with. */
final case class PatchReport(executor: String, classes: Map[String, String])

object PatchReport extends Assertions {

  private val ours = Map(
    "blockManager" -> "org.apache.spark.storage.hpc.patch.HpcBlockManager",
    "memoryStore" -> "org.apache.spark.storage.memory.hpc.HpcMemoryStore",
    "diskBlockManager" -> "org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager",
    "diskStore" -> "org.apache.spark.storage.hpc.disk.HpcDiskStore"
  )

  /** What PatchCheck printed, here or amid other output. */
  def of(text: String): Seq[PatchReport] =
    text.linesIterator.map(_.trim).filter(_.startsWith("executor=")).toSeq.map { line =>
      val fields = line.split(" ").map(_.split("=", 2)).collect { case Array(k, v) => k -> v }.toMap
      PatchReport(fields("executor"), fields -- Seq("executor", "host", "version"))
    }

  /** Exactly these processes reported, and each runs our four classes. */
  def assertPatched(run: Run, executors: String*): Unit = {
    assert(run.exit == 0, run)
    val reports = of(run.out)
    assert(reports.map(_.executor).sorted == executors.sorted, run)
    reports.foreach(report => assert(report.classes == ours, run))
  }

  /** Exactly these processes reported, and each runs Spark's four classes. */
  def assertStock(run: Run, executors: String*): Unit = {
    val reports = of(run.out)
    assert(reports.map(_.executor).sorted == executors.sorted, run)
    val stock = ours.map { case (part, name) =>
      part -> name.replaceAll(raw"\.hpc(\.\w+)?\.Hpc", ".")
    }
    reports.foreach(report => assert(report.classes == stock, run))
  }
}
