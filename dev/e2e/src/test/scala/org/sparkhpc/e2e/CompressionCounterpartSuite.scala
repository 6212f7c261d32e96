package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** SPARK-3426 of Spark's ShuffleNettySuite in a way that holds for stock Spark and for ours: it looks for
  * Spark's own files, so that here it stops at the first of its four settings.
  */
class CompressionCounterpartSuite extends AnyFunSuite with Scratch {
  private val kinds = Seq("grouped", "combined", "ordered", "spread")
  private val both = Seq("true", "false")

  private def run(dist: Dist, master: String, settings: (String, String)*): Run = {
    val kryo = "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer"
    val run =
      Submit(dist, master, "CompressionSettings", kryo +: settings).run(scratch)
    assert(run.exit == 0, run)
    run
  }

  /** Of each kind of shuffle with each setting; that it spilled, and did so as the settings say, is asserted. */
  private def rows(run: Run): Map[String, String] = {
    def count(spills: String, outputs: String, kind: String, what: String): Long =
      Apps.result(run, s"$spills.$outputs.$kind.$what").toLong
    for (spills <- both; outputs <- both; kind <- kinds)
      assert(count(spills, outputs, kind, "spilled") > 0, s"$spills $outputs $kind: $run")
    for (other <- both) {
      def spilled(compressed: String) = count(compressed, other, "combined", "spilled")
      def written(compressed: String) = count(other, compressed, "combined", "bytesWritten")
      assert(spilled("true") < spilled("false"), run)
      assert(written("true") < written("false"), run)
    }
    val all = for (spills <- both; outputs <- both; kind <- kinds) yield s"$spills.$outputs.$kind"
    all.map(name => name -> Apps.result(run, s"$name.rows")).toMap
  }

  test(
    "SPARK-3426: with each of the four settings, shuffles that spill give what stock Spark's do"
  ) {
    val expected = rows(run(Dist.stock, "local[2]"))
    for (kind <- kinds)
      assert(
        expected.collect { case (name, its) if name.endsWith(kind) => its }.toSet.size == 1,
        kind
      )
    assert(rows(run(Dist.patched, Submit.LocalCluster)) == expected)
    val shared = directory("shared").toString
    val global =
      Seq("spark.hpc.shuffle.placement" -> "global", "spark.hpc.shuffle.directory" -> shared)
    assert(rows(run(Dist.patched, Submit.LocalCluster, global: _*)) == expected)
  }
}
