package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** SPARK-3426 of Spark's ShuffleNettySuite in a way that holds for stock Spark and for ours: it looks for
  * Spark's own files, so that here it stops at the first of its four settings.
  */
class CompressionCounterpartSuite extends AnyFunSuite with Scratch {
  private val kinds = Seq("grouped", "combined", "ordered", "spread")
  private val both = Seq("true", "false")

  private def run(dist: Dist, master: String, args: String*): Run = {
    val kryo = "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer"
    val run = Submit(dist, master, "CompressionSettings", Seq(kryo), args).run(scratch)
    assert(run.exit == 0, run)
    run
  }

  /** Of each kind of shuffle with each setting; that it spilled, and did so as the settings say, is asserted. */
  private def rows(run: Run, placement: String): Map[String, String] = {
    def result(spills: String, outputs: String, kind: String, what: String): String =
      Apps.result(run, s"$placement.$spills.$outputs.$kind.$what")
    def count(spills: String, outputs: String, kind: String, what: String): Long =
      result(spills, outputs, kind, what).toLong
    for (spills <- both; outputs <- both; kind <- kinds)
      assert(count(spills, outputs, kind, "spilled") > 0, s"$spills $outputs $kind: $run")
    for (other <- both) {
      def spilled(compressed: String) = count(compressed, other, "combined", "spilled")
      def written(compressed: String) = count(other, compressed, "combined", "bytesWritten")
      assert(spilled("true") < spilled("false"), run)
      assert(written("true") < written("false"), run)
    }
    val all = for (spills <- both; outputs <- both; kind <- kinds)
      yield s"$spills.$outputs.$kind" -> result(spills, outputs, kind, "rows")
    all.toMap
  }

  test(
    "SPARK-3426: with each of the four settings, shuffles that spill give what stock Spark's do"
  ) {
    val expected = rows(run(Dist.stock, "local[2]"), "default")
    for (kind <- kinds)
      assert(
        expected.collect { case (name, its) if name.endsWith(kind) => its }.toSet.size == 1,
        kind
      )
    val ours = run(Dist.patched, Submit.LocalCluster, directory("shared").toString)
    // With each placement one of the four settings is that of executors.
    PatchReport.assertPatched(ours, Seq.fill(8)("driver") ++ Seq("0", "1", "0", "1"): _*)
    for (placement <- Seq("default", "global"))
      assert(rows(ours, placement) == expected, placement)
  }
}
