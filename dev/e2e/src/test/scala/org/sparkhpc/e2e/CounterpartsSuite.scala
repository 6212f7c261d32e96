package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** What those of Spark's own tests want that can't pass here (dev/conformance/known-failures.txt), in a way
  * that holds for stock Spark and for ours.
  */
class CounterpartsSuite extends AnyFunSuite with Scratch {

  private def run(
      dist: Dist,
      master: String,
      program: String,
      settings: Seq[(String, String)],
      args: String*
  ): Run = {
    val run = Submit(dist, master, program, settings, args).run(scratch)
    assert(run.exit == 0, run)
    run
  }

  private def shortOfMemory(dist: Dist, master: String): Run = {
    val short = Seq(
      "spark.testing.memory" -> "10000",
      "spark.testing.reservedMemory" -> "0",
      "spark.storage.unrollMemoryThreshold" -> "1024"
    )
    run(dist, master, "ShortOfMemory", short, "2", "20")
  }

  private lazy val shortStock = shortOfMemory(Dist.stock, "local[2]")
  private lazy val shortPatched = shortOfMemory(Dist.patched, Submit.LocalCluster)

  for ((what, parts, mostOfStock) <- Seq(("no", 2, 0), ("some", 20, 19)))
    test(s"DistributedSuite: where $what partitions fit in memory, contents are stock Spark's") {
      def contents(run: Run, spill: String): Seq[String] =
        (1 to 3).map(round => Apps.result(run, s"$spill.$parts.contents.$round"))
      def kept(run: Run, spill: String): Int = Apps.result(run, s"$spill.$parts.kept").toInt
      val expected = contents(shortStock, "auto")
      assert(expected.distinct.size == 1 && expected.head.startsWith("10000 "))
      for (spill <- Seq("auto", "always")) assert(contents(shortPatched, spill) == expected, spill)
      // That none is kept is what Spark's test wants: here those without room are, on disk.
      assert(kept(shortStock, "auto") <= mostOfStock && kept(shortPatched, "always") == parts)
    }

  test("SPARK-36206: what has changed on disk fails the fetch, and is called that") {
    val both = Seq(
      ("stock", Dist.stock, "local[2]"),
      ("patched", Dist.patched, Submit.LocalCluster)
    )
    for ((name, dist, master) <- both) {
      val local = directory(name).toString
      val its = run(dist, master, "DamagedOnDisk", Seq("spark.local.dir" -> local), local)
      def count(what: String): Int = Apps.result(its, what).toInt
      assert(count("1.damaged") > 0 && count("4.damaged") > 0, its)
      val said = Apps.result(its, "1.failure")
      assert(said.contains("corrupted due to DISK_ISSUE"), said)
      // That it was tried again shows that what it read was damaged.
      assert(count("4.retries") > 0 && Apps.result(its, "4.again") == "true", its)
    }
  }
}
