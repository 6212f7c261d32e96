package org.apache.spark.examples.hpc

import org.apache.spark.scheduler._

/** Reports each iteration of GraphX's static PageRank as it ends, and keeps the run's totals.
  *
  * GraphX materialises each iteration by one job, `foreachPartition` in its own class `PageRank`, and our engine by a
  * `runJob` in `PowerIteration`. That is how an iteration is told from other jobs here. An iteration's cost is everything since
  * the previous one ended: jobs of one run follow one another, so nothing else is in between.
  *
  * Events come from the listener bus's thread; totals may be asked for by another.
  */
final class IterationListener(report: Iteration => Unit) extends SparkListener {
  import IterationListener.isIteration

  private val blocks = new CachedBlocks
  private var running = Map.empty[Int, Long]
  private var finished = 0
  private var shuffleRead = 0L
  private var shuffleWritten = 0L
  private var cpuNanos = 0L
  private var before = RunCounters.Zero

  def totals: RunCounters = synchronized {
    RunCounters(shuffleRead, shuffleWritten, blocks.dropped, blocks.spilled, cpuNanos)
  }

  override def onJobStart(job: SparkListenerJobStart): Unit = synchronized {
    if (job.stageInfos.nonEmpty && isIteration(job.stageInfos.maxBy(_.stageId))) {
      running += job.jobId -> job.time
      if (finished == 0) before = totals
    }
  }

  override def onJobEnd(job: SparkListenerJobEnd): Unit = synchronized {
    running.get(job.jobId).foreach { started =>
      running -= job.jobId
      if (job.jobResult == JobSucceeded) {
        finished += 1
        val now = totals
        report(Iteration(finished, job.time - started, now - before))
        before = now
      }
    }
  }

  override def onTaskEnd(task: SparkListenerTaskEnd): Unit = synchronized {
    // A task that was lost with its executor has no metrics.
    Option(task.taskMetrics).foreach { metrics =>
      shuffleRead += metrics.shuffleReadMetrics.totalBytesRead
      shuffleWritten += metrics.shuffleWriteMetrics.bytesWritten
      cpuNanos += metrics.executorCpuTime + metrics.executorDeserializeCpuTime
    }
  }

  override def onBlockUpdated(event: SparkListenerBlockUpdated): Unit = synchronized {
    blocks.update(event.blockUpdatedInfo)
  }

  override def onUnpersistRDD(event: SparkListenerUnpersistRDD): Unit = synchronized {
    blocks.unpersisted(event.rddId)
  }

  override def onBlockManagerRemoved(event: SparkListenerBlockManagerRemoved): Unit =
    synchronized {
      blocks.executorGone(event.blockManagerId)
    }
}

object IterationListener {

  /** Our own file is a PageRank.scala too, so the class in the call stack decides. */
  private def isIteration(last: StageInfo): Boolean =
    last.name.startsWith("runJob at PowerIteration.scala") ||
      last.name.startsWith("foreachPartition at PageRank.scala") &&
      last.details.contains("org.apache.spark.graphx.lib.PageRank$.runWithOptions")
}
