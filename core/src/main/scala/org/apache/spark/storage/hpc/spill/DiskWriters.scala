package org.apache.spark.storage.hpc.spill

import java.io.File

import org.apache.spark.{SparkConf, TaskContext}
import org.apache.spark.executor.ShuffleWriteMetrics
import org.apache.spark.internal.config.SHUFFLE_SYNC
import org.apache.spark.serializer.{SerializerInstance, SerializerManager}
import org.apache.spark.shuffle.{PlacedOutput, ShuffleWriteMetricsReporter}
import org.apache.spark.storage.{BlockId, DiskBlockObjectWriter}
import org.sparkhpc.tier.{ScratchFile, Tiers}

/** Creates the writers of map outputs and spills. A map output goes to its place, if the shuffle manager has places;
  * spills go to the tiers. Other map outputs are renamed later, so they are written in the home tier.
  *
  * @param giveRoom makes room for so many bytes that no tier takes; false if that is not possible
  */
private[storage] final class DiskWriters(
    conf: SparkConf,
    tiers: Option[Tiers],
    serializers: SerializerManager,
    giveRoom: Long => Boolean
) {

  /** @param sparks Spark's own writer */
  def of(
      blockId: BlockId,
      file: File,
      serializer: SerializerInstance,
      bufferSize: Int,
      metrics: ShuffleWriteMetricsReporter
  )(sparks: => DiskBlockObjectWriter): DiskBlockObjectWriter = {
    val ofPlace = metrics match {
      case placed: PlacedOutput => placed.writer(blockId, file, bufferSize)
      case _ => None
    }
    def ofTiers = (file, tiers) match {
      case (spill: ScratchFile, Some(tiers)) if spill.isUntouched && !isOutput(metrics) =>
        Some(new TieredWriter(
          spill,
          tiers,
          serializers,
          serializer,
          bufferSize,
          conf.get(SHUFFLE_SYNC),
          metrics,
          blockId,
          giveRoom
        ))
      case _ => None
    }
    ofPlace.orElse(ofTiers).getOrElse(sparks)
  }

  /** Whether a map output is written: it has the metrics of its task, while a spill has separate metrics. */
  private def isOutput(metrics: ShuffleWriteMetricsReporter): Boolean = metrics match {
    case ofTask: ShuffleWriteMetrics =>
      Option(TaskContext.get()).exists(_.taskMetrics().shuffleWriteMetrics eq ofTask)
    case _: PlacedOutput => false
    case _ => true
  }
}
