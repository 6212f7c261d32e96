package org.sparkhpc.apps

import scala.collection.mutable

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerStageSubmitted, SparkListenerTaskEnd}

/** What the tasks of each job group read of shuffles, wrote to them and spilled. */
private[apps] final class GroupMetrics extends SparkListener {
  private val groupOf = mutable.Map.empty[Int, String]
  private val sums = mutable.LinkedHashMap.empty[(String, String), Long]
  private val blocksOfTasks = mutable.Map.empty[String, Set[Long]].withDefaultValue(Set.empty)

  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = synchronized {
    val group = Option(event.properties).flatMap(its => Option(its.getProperty(GroupMetrics.Group)))
    group.foreach { name =>
      groupOf(event.stageInfo.stageId) = name
      add(name, "retries", math.min(event.stageInfo.attemptNumber(), 1).toLong)
    }
  }

  override def onTaskEnd(event: SparkListenerTaskEnd): Unit = synchronized {
    for (group <- groupOf.get(event.stageId); metrics <- Option(event.taskMetrics)) {
      val (read, written) = (metrics.shuffleReadMetrics, metrics.shuffleWriteMetrics)
      add(group, "localBlocks", read.localBlocksFetched)
      add(group, "remoteBlocks", read.remoteBlocksFetched)
      add(group, "bytesRead", read.totalBytesRead)
      add(group, "remoteBytes", read.remoteBytesRead)
      add(group, "recordsRead", read.recordsRead)
      add(group, "bytesWritten", written.bytesWritten)
      add(group, "recordsWritten", written.recordsWritten)
      add(group, "spilled", metrics.diskBytesSpilled)
      if (read.totalBlocksFetched > 0) blocksOfTasks(group) += read.totalBlocksFetched
    }
  }

  private def add(group: String, what: String, count: Long): Unit =
    sums((group, what)) = sums.getOrElse((group, what), 0L) + count

  /** Once the context has stopped, and so all events are here. */
  def report(): Unit = synchronized {
    for (((group, what), sum) <- sums) Report.line(s"$group.$what", sum)
    for ((group, counts) <- blocksOfTasks)
      Report.line(s"$group.blocksOfTasks", counts.toSeq.sorted.mkString(" "))
  }
}

private[apps] object GroupMetrics {
  private val Group = "spark.jobGroup.id"

  def of(sc: SparkContext): GroupMetrics = {
    val metrics = new GroupMetrics
    sc.addSparkListener(metrics)
    metrics
  }
}
