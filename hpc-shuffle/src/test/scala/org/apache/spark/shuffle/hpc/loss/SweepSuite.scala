package org.apache.spark.shuffle.hpc.loss

import java.lang.management.ManagementFactory
import java.nio.file.Files
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}

import scala.concurrent.duration._

import com.google.common.base.Ticker
import com.sun.management.ThreadMXBean
import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, SparkEnv}
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.hpc.ShuffleJobs
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OutputDirectory
import org.apache.spark.shuffle.hpc.read.ContainerFiles
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}
import org.sparkhpc.file.{FilePool, IdleOrder}

class SweepSuite extends AnyFunSuite with ShuffleJobs with Eventually {

  private def gone: OutputDirectory =
    new OutputDirectory(Files.createDirectories(shared.resolve("empty")))

  /** Runs a shuffle of four map outputs, and then `test` with what a search needs. */
  private def withOutputs(test: Outputs => Unit): Unit = {
    val settings = Seq(
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> shared.toString
    )
    withContext(settings: _*) { sc =>
      assert(sc.range(0, 2000, 1, 4).map(n => (n % 50, n)).groupByKey(3).count() == 50)
      val pool = new FilePool(10, IdleOrder.Lru, TimeUnit.SECONDS.toNanos(60))
      val files = new ContainerFiles(pool, new RouteCounts)
      try test(new Outputs(files))
      finally files.close()
    }
  }

  private class Outputs(val files: ContainerFiles) {
    val tracker: MapOutputTrackerMaster =
      SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
    private val statuses = tracker.shuffleStatuses(0)

    val failed: FetchFailed =
      FetchFailed(statuses.withMapStatuses(_.head.location), 0, 0L, 0, 0, "a failed fetch")

    def number: Int = statuses.numAvailableMapOutputs

    // A copy: the array is the tracker's own.
    private val all = statuses.withMapStatuses(_.toVector)

    /** The map stage has run again, at the same places. */
    def register(): Unit =
      for ((status, index) <- all.zipWithIndex) tracker.registerMapOutput(0, index, status)
  }

  test("outputs that can't be looked for are there, those that are gone aren't") {
    withOutputs { outputs =>
      val epoch = outputs.tracker.getEpoch
      new Sweep(throw new IllegalStateException("it is away"), outputs.files)
        .after(outputs.failed, outputs.tracker)
      // Executors that know the outputs' places needn't ask for them again.
      assert(outputs.number == 4 && outputs.tracker.getEpoch == epoch)
      new Sweep(gone, outputs.files).after(outputs.failed, outputs.tracker)
      assert(outputs.number == 0 && outputs.tracker.getEpoch > epoch)
    }
  }

  test("the scheduler doesn't wait for a long search, whose result counts all the same") {
    withOutputs { outputs =>
      val isReached = new CountDownLatch(1)
      def late: OutputDirectory = {
        isReached.await()
        gone
      }
      new Sweep(late, outputs.files, patience = 10.millis).after(outputs.failed, outputs.tracker)
      assert(outputs.number == 4)
      isReached.countDown()
      eventually(timeout(Span(30, Seconds)))(assert(outputs.number == 0))
    }
  }

  test("after a search that finds nothing, there is none for ten times as long as it took") {
    withOutputs { outputs =>
      val time = new AtomicLong
      val looks = new AtomicInteger
      def slow: OutputDirectory = {
        looks.incrementAndGet()
        time.addAndGet(TimeUnit.SECONDS.toNanos(1))
        throw new IllegalStateException("it is away")
      }
      val ticker = new Ticker { override def read(): Long = time.get }
      val sweep = new Sweep(slow, outputs.files, ticker = ticker)
      // Each place is one look, and so one second.
      sweep.after(outputs.failed, outputs.tracker)
      val first = looks.get
      assert(first > 0)
      time.addAndGet(TimeUnit.SECONDS.toNanos(10L * first) - 1)
      sweep.after(outputs.failed, outputs.tracker)
      assert(looks.get == first)
      time.addAndGet(1)
      sweep.after(outputs.failed, outputs.tracker)
      assert(looks.get == 2 * first)
    }
  }

  test("a failed fetch whose output is forgotten already costs the scheduler nothing") {
    withOutputs { outputs =>
      val threads = ManagementFactory.getThreadMXBean.asInstanceOf[ThreadMXBean]
      val sweep = new Sweep(gone, outputs.files)
      val many = 10000
      outputs.tracker.registerShuffle(1, many, 1)
      val place = outputs.failed.bmAddress
      for (map <- 0 until many)
        outputs.tracker.registerMapOutput(1, map, MapStatus(place, Array(1L), many + map.toLong))
      val unknown = FetchFailed(place, 1, 2L * many, 0, 0, "a failed fetch")
      def allocated: Long = threads.getThreadAllocatedBytes(Thread.currentThread.getId)
      val before = allocated
      for (_ <- 1 to 1000) sweep.after(unknown, outputs.tracker)
      assert((allocated - before) / 1000 < many)
    }
  }

  test("after a search that finds lost outputs, the next loss starts another at once") {
    withOutputs { outputs =>
      val time = new AtomicLong
      val ticker = new Ticker { override def read(): Long = time.addAndGet(1000000000L) }
      val sweep = new Sweep(gone, outputs.files, ticker = ticker)
      for (_ <- 1 to 2) {
        assert(outputs.number == 4)
        sweep.after(outputs.failed, outputs.tracker)
        assert(outputs.number == 0)
        outputs.register()
      }
    }
  }
}
