package org.sparkhpc.apps

import java.nio.file.Paths

/** Programs of the examples, an application each, that are traced and watched by [[LineageTruth]]:
  * `Lineages DIRECTORY`, for their files. It shows what [[CompareLineage]] finds of each.
  */
object Lineages {

  def main(args: Array[String]): Unit = {
    val directory = Paths.get(args.head)
    val edges = directory.resolve("edges").toString
    run("Rmat", s"--scale 8 --output $edges")
    val examples = Seq(
      ("pagerank", "PageRank", s"--iterations 6 --partitions 4 $edges"),
      ("components", "ConnectedComponents", "--scale 8 --partitions 4"),
      ("kmeans", "KMeans", "--points 2000 --partitions 4"),
      ("als", "ALS", "--users 200 --items 100 --blocks 4")
    )
    for ((name, program, options) <- examples) {
      val truth = directory.resolve(s"$name.truth")
      val traces = directory.resolve(name)
      val watched = Seq(
        "spark.extraListeners" -> classOf[LineageTruth].getName,
        "spark.lineage.truth" -> truth.toString,
        "spark.hpc.retention.trace" -> traces.toString
      )
      Settings.having(watched)(run(program, options))
      CompareLineage.show(name, truth, traces)
    }
  }

  /** As spark-submit does. */
  private def run(program: String, options: String): Unit = {
    val example = Class.forName(s"org.apache.spark.examples.hpc.$program")
    example.getMethod("main", classOf[Array[String]]).invoke(null, options.split(' ')): Unit
  }
}
