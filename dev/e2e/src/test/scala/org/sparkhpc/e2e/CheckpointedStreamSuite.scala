package org.sparkhpc.e2e

import org.scalatest.funsuite.AnyFunSuite

/** A stream of the older kind, whose checkpoint holds the application's settings. */
class CheckpointedStreamSuite extends AnyFunSuite with Scratch {

  private val Batches = 3

  /** Two streams, one after the other; each goes on if it has a checkpoint. */
  private def run(dist: Dist, name: String, streams: String*): Run = {
    val args = Batches.toString +: streams
    val place = dist.placedIn(scratch.resolve(name))
    val run = Submit(place, "local[2]", "CheckpointedStream", args = args).run(scratch)
    assert(run.exit == 0, run)
    run
  }

  private def stream(name: String): String = s"$name ${directory(s"$name-checkpoint")}"

  private lazy val ours = run(
    Dist.patched,
    "dist",
    stream("fastest"),
    Seq(
      stream("global"),
      "spark.hpc.shuffle.placement=global",
      s"spark.hpc.shuffle.directory=${directory("shared")}"
    ).mkString(" ")
  )

  private lazy val stock = run(Dist.stock, "stock", stream("fastest"), stream("global"))

  private def assertDone(run: Run, stream: String, manager: String): Unit = {
    assert(Apps.result(run, s"$stream.done") == "true", run)
    assert(Apps.result(run, s"$stream.manager") == s"org.apache.spark.shuffle.$manager", run)
  }

  /** How many batches were counted since the stream's beginning. */
  private def batches(run: Run, stream: String): Long = {
    val Seq(count) = Apps.result(run, s"$stream.counts").split(" ").map(_.toLong).toSeq.distinct
    count / 3
  }

  private def assertGoesOnWithStock(stream: String): Unit = {
    assertDone(ours, stream, "hpc.HpcShuffleManager")
    assert(batches(ours, stream) >= Batches, ours)
    assertDone(stock, stream, "sort.SortShuffleManager")
    assert(batches(stock, stream) >= batches(ours, stream) + Batches, s"$ours\n$stock")
  }

  test("a checkpoint that was written here goes on with stock Spark") {
    assertGoesOnWithStock("fastest")
  }

  test("so does one of a stream whose map outputs were in a shared directory") {
    assertGoesOnWithStock("global")
  }
}
