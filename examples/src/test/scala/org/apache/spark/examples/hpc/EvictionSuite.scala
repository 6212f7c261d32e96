package org.apache.spark.examples.hpc

import org.scalatest.funsuite.AnyFunSuite

class EvictionSuite extends AnyFunSuite with LocalMaster with TemporaryFiles {

  // A region for cached blocks of 3.6 MB, too little for a graph of 65,536 edges.
  override protected def settings: Map[String, String] = Map(
    "spark.testing.memory" -> (6 * 1024 * 1024).toString,
    "spark.testing.reservedMemory" -> "0",
    "spark.hpc.graphx.engine" -> "stock"
  )

  private def totals(level: String, spill: String): Map[String, Long] = {
    val graph = fresh("rmat")
    assert(run(Rmat, "--scale", 12, "--output", graph).code == 0)
    System.setProperty("spark.hpc.retention.spill", spill)
    val ran =
      try run(PageRank, graph, "--iterations", 2, "--storage-level", level, "--partitions", 4)
      finally System.clearProperty("spark.hpc.retention.spill")
    assert(ran.code == 0, ran)
    """(\w+)=(\d+)\b(?!\.)""".r.findAllMatchIn(ran.outLines.last)
      .map(m => m.group(1) -> m.group(2).toLong).toMap
  }

  test("under short memory stock Spark drops blocks, and they are counted") {
    val counted = totals("MEMORY_ONLY", spill = "never")
    assert(counted("dropped") > 0)
    assert(counted("spilled") == 0)
    assert(counted("evictedBlocks") == counted("dropped"))
  }

  test("with a disk level they are spilled instead") {
    val counted = totals("MEMORY_AND_DISK", spill = "never")
    assert(counted("spilled") > 0)
    assert(counted("dropped") == 0)
  }

  test("without a disk level Spark-HPC spills them as well") {
    val counted = totals("MEMORY_ONLY", spill = "always")
    assert(counted("spilled") > 0)
    assert(counted("dropped") == 0)
  }
}
