package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** What those of Spark's own tests want that can't pass with spark.hpc.shuffle.placement=global
  * (dev/conformance/known-failures-shuffle-global.txt), in a way that holds for stock Spark and for ours.
  */
class GlobalCounterpartsSuite extends AnyFunSuite with Scratch {
  private val maps = 6
  private val reducers = 20
  private val slices = 16

  private def run(
      dist: Dist,
      master: String,
      outputs: String,
      settings: (String, String)*
  ): Run = {
    val common = Seq(
      // Otherwise Spark may plan as many tasks as there are cores.
      "spark.sql.adaptive.coalescePartitions.parallelismFirst" -> "false",
      // Each shows a damaged file or two.
      "spark.stage.maxConsecutiveAttempts" -> "12"
    )
    val args = Seq(maps, reducers, slices).map(_.toString) :+ outputs
    val run = Submit(dist, master, "GlobalCounterparts", common ++ settings, args).run(scratch)
    assert(run.exit == 0, run)
    run
  }

  /** Its results are only compared with, so they need no executors. */
  private lazy val stock: Run = {
    val local = directory("local").toString
    run(Dist.stock, "local[2]", local, "spark.local.dir" -> local)
  }

  private lazy val global: Run = {
    val shared = directory("shared").toString
    run(
      Dist.patched,
      Submit.LocalCluster,
      shared,
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> shared
    )
  }

  private def count(run: Run, name: String): Long = Apps.result(run, name).toLong

  /** A block at a global place is no executor's own: the metrics say so. */
  private def blocks(run: Run, group: String, isGlobal: Boolean): Long = {
    val (local, remote) = (count(run, s"$group.localBlocks"), count(run, s"$group.remoteBlocks"))
    assert(!isGlobal || local == 0, run)
    local + remote
  }

  /** What was written is what is read, and all of it is remote where blocks are. */
  private def assertAllIsRead(run: Run, group: String, isGlobal: Boolean): Unit = {
    for ((read, written) <- Seq("bytesRead" -> "bytesWritten", "recordsRead" -> "recordsWritten")) {
      assert(count(run, s"$group.$written") > 0, run)
      assert(count(run, s"$group.$read") == count(run, s"$group.$written"), run)
    }
    val isRemote = count(run, s"$group.remoteBytes") == count(run, s"$group.bytesRead")
    assert(!isGlobal || isRemote, run)
  }

  test("SPARK-34091: blocks of partitions that are coalesced are fetched in batches") {
    def rows(its: Run, isGlobal: Boolean): String = {
      assert(blocks(its, "single", isGlobal) == maps * reducers, its)
      // One task reads all reducers' blocks: with one fetch of each map output.
      assert(blocks(its, "batch", isGlobal) == maps, its)
      for (group <- Seq("single", "batch")) {
        assert(Apps.result(its, s"$group.size") == "1000")
        assertAllIsRead(its, group, isGlobal)
      }
      assert(Apps.result(its, "batch.rows") == Apps.result(its, "single.rows"))
      Apps.result(its, "batch.rows")
    }
    assert(rows(global, true) == rows(stock, false))
  }

  test("local metrics: the blocks, bytes and records that a task reads add up") {
    def rows(its: Run, isGlobal: Boolean): String = {
      assert(Apps.result(its, "joined.blocksOfTasks") == s"${2 * slices}", its)
      assert(blocks(its, "joined", isGlobal) == slices * 2 * slices, its)
      assertAllIsRead(its, "joined", isGlobal)
      Apps.result(its, "joined.rows")
    }
    assert(rows(global, true) == rows(stock, false))
  }

  test(
    "SPARK-23207: each partition after repartition() has stock Spark's rows, also after retries"
  ) {
    def rows(its: Run): Map[String, String] = {
      val found = for (kind <- Seq("shuffled", "repeated", "chained")) yield {
        assert(count(its, s"$kind.damaged") > 0 && count(its, s"$kind.retries") > 0, its)
        val before = Apps.result(its, s"$kind.before")
        assert(Apps.result(its, s"$kind.after") == before, kind)
        kind -> before
      }
      found.toMap
    }
    val expected = rows(stock)
    assert(
      expected("shuffled").startsWith("37 10000 ") && expected("chained").startsWith("37 3001 ")
    )
    assert(rows(global) == expected)
  }
}
