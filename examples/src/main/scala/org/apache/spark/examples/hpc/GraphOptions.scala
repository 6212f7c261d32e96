package org.apache.spark.examples.hpc

/** Which graph, and how it is cached. */
final case class GraphOptions(
    scale: Option[Int] = None,
    edgeFactor: Int = 16,
    grid: Option[Int] = None,
    input: Option[String] = None,
    partitions: Int = 0,
    storageLevel: String = "MEMORY_ONLY",
    checkEdges: Long = 20000000,
    seed: Long = 1
) {

  def graph: TestGraph =
    scale.map(TestGraph.RMat(_, edgeFactor, seed))
      .orElse(grid.map(TestGraph.Grid))
      .getOrElse(TestGraph.Files(input.mkString))
}
