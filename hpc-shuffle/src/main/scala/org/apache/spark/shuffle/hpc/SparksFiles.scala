package org.apache.spark.shuffle.hpc

import org.apache.spark.TaskContext
import org.apache.spark.shuffle.{
  IndexShuffleBlockResolver,
  ShuffleHandle,
  ShuffleWriteMetricsReporter,
  ShuffleWriter
}
import org.apache.spark.shuffle.hpc.place.Places

/** Keeps map outputs in the files of stock Spark, because other services read these or because the user has disabled
  * containers.
  */
private[hpc] final class SparksFiles(process: ShuffleProcess) extends PlainPlacement {
  private val received = new Received

  override protected def places: Places =
    throw new IllegalStateException("no containers: map outputs are in Spark's own files")

  override val resolver: IndexShuffleBlockResolver =
    new IndexShuffleBlockResolver(process.conf, taskIdMapsForShuffle = received.byShuffle)

  override def writer[K, V](
      handle: ShuffleHandle,
      mapTaskId: Long,
      task: TaskContext,
      metrics: ShuffleWriteMetricsReporter
  )(sparks: ShuffleWriteMetricsReporter => ShuffleWriter[K, V]): ShuffleWriter[K, V] =
    sparks(metrics)

  override def forget(shuffle: Int): Unit = {
    received.remove(shuffle)(resolver.removeDataByMap(shuffle, _))
    super.forget(shuffle)
  }
}
