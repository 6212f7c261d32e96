package org.sparkhpc.e2e

import java.nio.file.Path

import org.scalatest.funsuite.AnyFunSuite

/** A stream of the older kind, whose checkpoint holds the application's settings. */
class CheckpointedStreamSuite extends AnyFunSuite with Scratch {

  private val Batches = 3

  private def run(dist: Dist, name: String, checkpoint: Path, settings: (String, String)*): Run = {
    val args = Seq(checkpoint.toString, Batches.toString)
    val place = dist.placedIn(scratch.resolve(name))
    val run = Submit(place, "local[2]", "CheckpointedStream", settings, args).run(scratch)
    assert(run.exit == 0 && Apps.result(run, "done") == "true", run)
    run
  }

  /** How many batches were counted since the stream's beginning. */
  private def batches(run: Run): Long = {
    val Seq(count) = Apps.result(run, "counts").split(" ").map(_.toLong).toSeq.distinct
    count / 3
  }

  private def goesOnWithStock(name: String, settings: (String, String)*): Unit = {
    val checkpoint = directory(s"$name-checkpoint")
    val ours = run(Dist.patched, s"$name-dist", checkpoint, settings: _*)
    assert(Apps.result(ours, "manager") == "org.apache.spark.shuffle.hpc.HpcShuffleManager", ours)
    assert(batches(ours) >= Batches, ours)
    val stock = run(Dist.stock, s"$name-stock", checkpoint)
    assert(
      Apps.result(stock, "manager") == "org.apache.spark.shuffle.sort.SortShuffleManager",
      stock
    )
    assert(batches(stock) >= batches(ours) + Batches, s"$ours\n$stock")
  }

  test("a checkpoint that was written here goes on with stock Spark")(goesOnWithStock("fastest"))

  test("so does one of a stream whose map outputs were in a shared directory") {
    goesOnWithStock(
      "global",
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> directory("shared").toString
    )
  }
}
