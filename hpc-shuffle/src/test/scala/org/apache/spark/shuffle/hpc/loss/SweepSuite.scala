package org.apache.spark.shuffle.hpc.loss

import java.nio.file.Files
import java.util.concurrent.TimeUnit

import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, SparkEnv}
import org.apache.spark.shuffle.hpc.ShuffleJobs
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OutputDirectory
import org.apache.spark.shuffle.hpc.read.ContainerFiles
import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.file.{FilePool, IdleOrder}

class SweepSuite extends AnyFunSuite with ShuffleJobs {

  test("outputs that can't be looked for are there, those that are gone aren't") {
    val settings = Seq(
      "spark.hpc.shuffle.placement" -> "global",
      "spark.hpc.shuffle.directory" -> shared.toString
    )
    withContext(settings: _*) { sc =>
      assert(sc.range(0, 2000, 1, 4).map(n => (n % 50, n)).groupByKey(3).count() == 50)
      val tracker = SparkEnv.get.mapOutputTracker.asInstanceOf[MapOutputTrackerMaster]
      val statuses = tracker.shuffleStatuses(0)
      val place = statuses.withMapStatuses(_.head.location)
      val failed = FetchFailed(place, 0, 0L, 0, 0, "a failed fetch")
      val pool = new FilePool(10, IdleOrder.Lru, TimeUnit.SECONDS.toNanos(60))
      val files = new ContainerFiles(pool, new RouteCounts)
      try {
        new Sweep(throw new IllegalStateException("it is away"), files, tracker).after(failed)
        assert(statuses.numAvailableMapOutputs == 4)
        val gone = new OutputDirectory(Files.createDirectory(shared.resolve("empty")))
        new Sweep(gone, files, tracker).after(failed)
        assert(statuses.numAvailableMapOutputs == 0)
      } finally files.close()
    }
  }
}
