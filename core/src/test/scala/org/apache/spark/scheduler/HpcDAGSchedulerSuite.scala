package org.apache.spark.scheduler

import java.io.File
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger

import com.codahale.metrics.{MetricRegistry, MetricSet}
import org.apache.spark.{FetchFailed, MapOutputTrackerMaster, SparkConf, SparkContext}
import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.hpc.Build
import org.apache.spark.network.BlockTransferService
import org.apache.spark.shuffle.{FetchFailedException, MovedOutput, MovedOutputs, PlacedOutputs}
import org.apache.spark.shuffle.sort.SortShuffleManager
import org.scalatest.funsuite.AnyFunSuite

class HpcDAGSchedulerSuite extends AnyFunSuite {
  import HpcDAGSchedulerSuite._

  test("what a shuffle manager throws when outputs are lost doesn't end the application") {
    val conf = new SparkConf(false)
      .setMaster("local[2]")
      .setAppName(Build.current.version)
      .set("spark.ui.enabled", "false")
      .set("spark.shuffle.manager", classOf[FailingPlaces].getName)
    val sc = new SparkContext(conf)
    try {
      val sums = sc.range(0, 100, 1, 2).map(n => (n % 10, n)).reduceByKey(_ + _, 2)
      val once = sums.mapPartitions { rows =>
        if (TaskContext.get().stageAttemptNumber() == 0) {
          val here = SparkEnv.get.blockManager.blockManagerId
          throw new FetchFailedException(here, 0, 0L, 0, 0, "as if its file were gone")
        }
        rows
      }
      val before = asked.get
      assert(once.map(_._2).sum() == 4950)
      assert(asked.get > before && !sc.isStopped)
    } finally sc.stop()
  }
}

private object HpcDAGSchedulerSuite {
  val asked = new AtomicInteger
}

/** By the name in a setting. */
private[spark] final class FailingPlaces(conf: SparkConf) extends SortShuffleManager(conf)
    with PlacedOutputs {

  override def lost(failed: FetchFailed, tracker: MapOutputTrackerMaster): Unit = {
    HpcDAGSchedulerSuite.asked.incrementAndGet()
    throw new IllegalStateException("the file system is away")
  }

  override def directory: Option[Path] = None
  override def check(shared: Option[File]): Unit = ()
  override def around(network: BlockTransferService): BlockTransferService = network
  override def metrics: MetricSet = new MetricRegistry
  override def evacuate(): Boolean = true
  override def moved(outputs: MovedOutputs, tracker: MapOutputTrackerMaster): Seq[MovedOutput] = Nil
  override def registered(mapTaskId: Long, tracker: MapOutputTrackerMaster): Unit = ()
}
