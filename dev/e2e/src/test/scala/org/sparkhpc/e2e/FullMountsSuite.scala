package org.sparkhpc.e2e

import java.nio.file.Files

import scala.concurrent.duration._

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.tagobjects.Slow

/** Applications on real parallel file systems that are full. Their clients delay writes, so a process may hear of it as
  * late as it forces or closes a file. No result is wrong, and the next job works once there is room.
  */
class FullMountsSuite extends AnyFunSuite with Scratch {

  /** Results on a tier with room. */
  private lazy val expected = {
    val scenario = s"room spark.hpc.scratch.tiers=local:${directory("room")}"
    val args = Seq(Testbed.of("pfs"), "none", directory("elsewhere").toString, scenario)
    val run = Submit(Dist.patched, "local[2,4]", "FaultyScratches", args = args).run(scratch)
    Apps.result(run, "result")
  }

  private def full(kind: String, options: String*)(test: SharedMounts => Unit): Unit =
    Closing(new SharedMounts(kind, directory(kind), options: _*)) { mounts =>
      outputs(kind, mounts)
      test(mounts)
      assert(mounts.files(0).isEmpty)
    }

  /** A file system that is full as map outputs are written ends the job with one clear error. The next job is right. */
  private def outputs(kind: String, mounts: SharedMounts): Unit = {
    val there = mounts.from(0).resolve("outputs")
    val settings = s"spark.hpc.shuffle.placement=global spark.hpc.shuffle.directory=$there"
    val application =
      Seq(settings, "before map clear", "full map fill", "after map clear", "read between fill")
    val args = Seq(Testbed.of(kind), directory(kind).toString, application.mkString(";"))
    val run = Submit(Dist.patched, "local[2,4]", "FaultyShuffles", args = args).run(scratch)
    assert(run.exit == 0, run)
    for (name <- Seq("before", "after", "read")) {
      assert(Apps.result(run, s"$name.sums") == FaultyShufflesSuite.Sums, run)
      assert(Apps.result(run, s"$name.maps") == "8", run)
    }
    assert(Apps.result(run, "full.sums") == "none", run)
    val failure = Apps.result(run, "full.failure")
    assert(failure.contains("No space left on device") && failure.contains(there.toString), failure)
  }

  /** Blocks are cached on the file system, then it gets full, then the program goes on. */
  private def scratchFiles(kind: String, mounts: SharedMounts, isLast: Boolean): Unit = {
    val first = s"burst:${mounts.from(0).resolve(s"tier-$isLast")}"
    val tiers = if (isLast) first else s"$first,local:${directory(s"next-$kind")}"
    val signal = scratch.resolve(s"$kind-$isLast-full")
    val scenario = s"full spark.hpc.scratch.tiers=$tiers signal=$signal"
    // A file whose delayed write failed may never answer a read, so the program looks at none of the mount.
    val elsewhere = directory("elsewhere").toString
    val args = Seq(Testbed.of(kind), directory(kind).toString, elsewhere, scenario)
    val run = Started(
      Submit(
        Dist.patched,
        "local[2,4]",
        "FaultyScratches",
        FaultyScratchSuite.Spilling,
        args
      ).command,
      scratch
    )
    try {
      Patience.until("cached blocks", 120.seconds)(
        Some(()).filter(_ => run.said.contains("cached=20000"))
      )(run.said)
      mounts.fill()
      Files.createFile(signal)
      Patience.until("its end", 240.seconds)(Some(()).filter(_ => !run.isAlive))(run.said)
    } finally {
      run.kill()
      mounts.clear()
    }
    if (isLast) {
      assert(!run.said.contains("result="), run.said)
      assert(run.said.contains("No scratch tier takes"), run.said)
      assert(run.said.contains("Give spark.hpc.scratch.tiers more room"), run.said)
    } else {
      assert(run.said.linesIterator.contains(s"result=$expected"), run.said)
      val tier = first.replace(':', ' ')
      val told = run.said.linesIterator.filter(_.contains(tier))
      assert(told.exists(line => line.contains("has no room") || line.contains("is passed over")))
    }
  }

  // No scratch files: after a delayed write has failed, GlusterFS's client may never answer a read of that file.
  test("GlusterFS: map outputs", Slow) {
    full("glusterfs", "--megabytes", "64")(_ => ())
  }

  test("CephFS: map outputs, cached blocks and spills", Slow) {
    full("cephfs", "--megabytes", "256") { mounts =>
      for (last <- Seq(false, true)) scratchFiles("cephfs", mounts, last)
    }
  }
}
