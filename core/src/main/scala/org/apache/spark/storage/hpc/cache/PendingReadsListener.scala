package org.apache.spark.storage.hpc.cache

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobEnd, SparkListenerJobStart}
import org.apache.spark.scheduler.{SparkListenerStageCompleted, SparkListenerUnpersistRDD}
import org.apache.spark.scheduler.StageInfo
import org.apache.spark.storage.StorageLevel
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.sparkhpc.retain.PendingReads

/** Passes the events of the driver's jobs to [[PendingReads]]. */
private[storage] final class PendingReadsListener(pending: PendingReads) extends SparkListener {

  override def onJobStart(event: SparkListenerJobStart): Unit =
    pending.jobStarted(event.jobId, event.stageInfos.map(stage))

  override def onStageCompleted(event: SparkListenerStageCompleted): Unit =
    if (event.stageInfo.failureReason.isEmpty) pending.stageCompleted(stage(event.stageInfo))

  override def onJobEnd(event: SparkListenerJobEnd): Unit = pending.jobEnded(event.jobId)

  override def onUnpersistRDD(event: SparkListenerUnpersistRDD): Unit =
    pending.unpersisted(event.rddId)

  private def stage(info: StageInfo) = {
    val rdds = info.rddInfos.map { rdd =>
      PendingReads.Rdd(rdd.id, rdd.parentIds, rdd.storageLevel != StorageLevel.NONE)
    }
    PendingReads.Stage(info.stageId, rdds, info.shuffleDepId)
  }
}

private[storage] object PendingReadsListener {

  /** The driver's part: follows its jobs, and answers executors' questions about them. */
  def register(channel: DriverChannel, sc: SparkContext): Unit = {
    val pending = new PendingReads
    if (SpillingCache.of(sc.env.blockManager).exists(_.policy.wantsReferences))
      sc.addSparkListener(new PendingReadsListener(pending))
    channel.onAsk[PendingReadsQuestion.type](_ => pending.counts)
  }
}
