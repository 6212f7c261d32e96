package org.apache.spark.shuffle.hpc.place

import java.nio.file.{Files, Path}
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicReference

import scala.collection.JavaConverters._

import org.apache.spark.{CleanerListener, ContextCleaner, MapOutputTrackerMaster, SparkEnv}
import org.apache.spark.shuffle.hpc.ShuffleJobs
import org.scalatest.funsuite.AnyFunSuite

class RemovalsSuite extends AnyFunSuite with ShuffleJobs {

  private def below(directory: Path): Seq[Path] = {
    val all = Files.walk(directory)
    try all.iterator().asScala.toList
    finally all.close()
  }

  test(
    "what can't be removed is forgotten by the driver all the same, and goes with the application"
  ) {
    val settings = Seq(
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> shared.toString
    )
    withContext(settings: _*) { sc =>
      assert(sc.range(0, 2000, 1, 4).map(n => (n % 50, n)).groupByKey(3).count() == 50)
      val tracker = SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
      // Outputs go under this name first.
      val Seq(outputs) = below(shared).filter(_.endsWith("shuffle-0"))
      Files.createDirectories(outputs.resolveSibling(s"${outputs.getFileName}.removed/in the way"))
      val cleaner = new ContextCleaner(sc, sc.shuffleDriverComponents)
      val cleaned = new Cleaned
      cleaner.attachListener(cleaned)
      cleaner.doCleanupShuffle(0, blocking = true)
      assert(cleaned.shuffles == Seq(0) && !tracker.containsShuffle(0))
      assert(Files.exists(outputs))
    }
    assert(below(shared) == Seq(shared))
  }

  test("a file system that stands still stops no cleaning") {
    val stalled = new CountDownLatch(1)
    val removed = new AtomicReference(Seq.empty[Int])
    val removals = new Removals(shuffle => {
      stalled.await()
      removed.updateAndGet(_ :+ shuffle): Unit
    })
    try {
      val begun = Seq(1, 2).map(removals.begin(_))
      assert(removed.get.isEmpty && begun.forall(!_.isDone))
      stalled.countDown()
      begun.foreach(_.get(60, TimeUnit.SECONDS))
      assert(removed.get == Seq(1, 2))
    } finally removals.close()
  }

  /** The shuffles of which Spark's cleaner knows no more. */
  private class Cleaned extends CleanerListener {
    @volatile var shuffles: Seq[Int] = Nil
    override def shuffleCleaned(shuffleId: Int): Unit = shuffles :+= shuffleId
    override def rddCleaned(rddId: Int): Unit = ()
    override def broadcastCleaned(broadcastId: Long): Unit = ()
    override def accumCleaned(accId: Long): Unit = ()
    override def checkpointCleaned(rddId: Long): Unit = ()
  }
}
