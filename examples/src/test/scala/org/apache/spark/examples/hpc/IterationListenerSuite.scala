package org.apache.spark.examples.hpc

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.Success
import org.apache.spark.executor.{ExecutorMetrics, TaskMetrics}
import org.apache.spark.resource.ResourceProfile
import org.apache.spark.scheduler._
import org.apache.spark.storage._

class IterationListenerSuite extends AnyFunSuite {

  private class Fixture {
    val reported: mutable.Buffer[Iteration] = mutable.Buffer.empty
    val listener = new IterationListener(reported += _)
    private val iteration = (
      "foreachPartition at PageRank.scala:179",
      "org.apache.spark.rdd.RDD.foreachPartition(RDD.scala:1028)\n" +
        "org.apache.spark.graphx.lib.PageRank$.runWithOptions(PageRank.scala:179)"
    )

    def start(job: Int, at: Long, site: (String, String) = iteration): Unit = {
      val stages = Seq(stage(2 * job + 1, site), stage(2 * job, ("map at X.scala:1", "")))
      listener.onJobStart(SparkListenerJobStart(job, at, stages))
    }

    def end(job: Int, at: Long, result: JobResult = JobSucceeded): Unit =
      listener.onJobEnd(SparkListenerJobEnd(job, at, result))

    def task(read: Long, written: Long): Unit = {
      val metrics = new TaskMetrics
      metrics.shuffleReadMetrics.incRemoteBytesRead(read - 1)
      metrics.shuffleReadMetrics.incLocalBytesRead(1)
      metrics.shuffleWriteMetrics.incBytesWritten(written)
      metrics.setExecutorCpuTime(read)
      metrics.setExecutorDeserializeCpuTime(written)
      taskEnd(metrics)
    }

    def taskEnd(metrics: TaskMetrics): Unit = listener.onTaskEnd(
      SparkListenerTaskEnd(0, 0, "ResultTask", Success, null, new ExecutorMetrics, metrics)
    )

    def block(level: StorageLevel): Unit =
      listener.onBlockUpdated(SparkListenerBlockUpdated(
        BlockUpdatedInfo(BlockManagerId("1", "host", 1), RDDBlockId(1, 1), level, 1, 0)
      ))

    private def stage(id: Int, site: (String, String)): StageInfo =
      new StageInfo(
        id,
        0,
        site._1,
        1,
        Nil,
        Nil,
        site._2,
        resourceProfileId = ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID
      )
  }

  test("an iteration has the time of its job and what happened since the one before") {
    new Fixture {
      task(read = 100, written = 100)
      start(job = 1, at = 1000)
      task(read = 5, written = 6)
      block(StorageLevel.MEMORY_ONLY)
      end(job = 1, at = 1500)
      block(StorageLevel.NONE)
      start(job = 2, at = 2000)
      task(read = 7, written = 8)
      end(job = 2, at = 2250)
      assert(reported == Seq(
        Iteration(1, 500, RunCounters(5, 6, 0, 0, 11)),
        Iteration(2, 250, RunCounters(7, 8, 1, 0, 15))
      ))
      assert(listener.totals == RunCounters(112, 114, 1, 0, 226))
    }
  }

  test("other jobs are no iterations, even from a PageRank.scala of another package") {
    new Fixture {
      start(1, 0, ("sum at PageRank.scala:500", "org.apache.spark.graphx.lib.PageRank$.run"))
      end(1, 1)
      start(2, 0, ("foreachPartition at PageRank.scala:1", "org.example.PageRank$.main"))
      end(2, 1)
      listener.onJobStart(SparkListenerJobStart(3, 0, Nil))
      end(3, 1)
      assert(reported.isEmpty)
    }
  }

  test("an iteration that failed isn't reported") {
    new Fixture {
      start(job = 1, at = 0)
      end(job = 1, at = 1, result = JobFailed(new Exception("task failed")))
      assert(reported.isEmpty)
    }
  }

  test("a task lost with its executor has no metrics and does no harm") {
    new Fixture {
      taskEnd(null)
      assert(listener.totals == RunCounters.Zero)
    }
  }

  test("a line has all numbers, whatever the language of the machine") {
    assert(
      Iteration(3, 1234, RunCounters(10, 20, 1, 2, 1500000000L)).toString ==
        "iteration=3 seconds=1.234 shuffleReadBytes=10 shuffleWrittenBytes=20 " +
        "evictedBlocks=3 dropped=1 spilled=2 cpuSeconds=1.500"
    )
  }
}
