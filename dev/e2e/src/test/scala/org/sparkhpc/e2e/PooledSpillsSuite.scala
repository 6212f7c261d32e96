package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** A grouping that spills, on a cluster. */
class PooledSpillsSuite extends AnyFunSuite with Scratch {

  test("each executor opens a spill once for all its batches, and holds none in the end") {
    val dist = Dist.patched
    val metrics = new CsvMetrics(directory("csv"))
    Closing(new StandaloneCluster(dist, directory("standalone"))) { cluster =>
      val settings = Seq(
        "spark.ui.enabled=false",
        // Containers are in the pool, too.
        "spark.shuffle.manager=sort",
        // Of 40,000 pairs each reducer spills 1,001 at a time, in 11 batches, all but the last.
        "spark.shuffle.spill.numElementsForceSpillThreshold=1000",
        "spark.shuffle.spill.batchSize=100"
      )
      val run = Run(
        Seq(dist.bin("run-example"), "--master", cluster.url) ++
          (settings ++ StandaloneCluster.Both.map { case (key, value) => s"$key=$value" })
            .flatMap(Seq("--conf", _)) ++ metrics.options ++
          Seq("hpc.GroupByTest", "--maps", "4", "--reduces", "2", "--pairs-per-map", "10000"),
        scratch
      )
      assert(run.exit == 0 && run.out.contains("check=ok"), run)
      def last(metric: String): Seq[Long] =
        Seq("0", "1").map(metrics.values(_, s"hpc.pool.$metric").last.toLong)
      assert(Set(38, 39)(last("opens").sum.toInt))
      assert(last("hits").sum >= 38 * 10)
      assert(last("openNow").sum == 0 && last("evictions").sum == 0)
    }
  }
}
