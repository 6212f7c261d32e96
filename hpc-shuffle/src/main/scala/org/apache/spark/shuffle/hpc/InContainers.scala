package org.apache.spark.shuffle.hpc

import org.apache.spark.TaskContext
import org.apache.spark.shuffle.{
  BaseShuffleHandle,
  ShuffleHandle,
  ShuffleWriteMetricsReporter,
  ShuffleWriter
}
import org.apache.spark.shuffle.hpc.write.{
  BucketedWriter,
  ContainerExecutorComponents,
  PlacedMetrics
}
import org.apache.spark.shuffle.sort.BypassMergeSortShuffleHandle

/** A placement that puts many map outputs into one file, a container. */
private[hpc] abstract class InContainers(process: ShuffleProcess) extends PlainPlacement {

  override def writer[K, V](
      handle: ShuffleHandle,
      mapTaskId: Long,
      task: TaskContext,
      metrics: ShuffleWriteMetricsReporter
  )(sparks: ShuffleWriteMetricsReporter => ShuffleWriter[K, V]): ShuffleWriter[K, V] =
    handle match {
      // Spark's writer would make a file for each reducer.
      case few: BypassMergeSortShuffleHandle[K @unchecked, V @unchecked] =>
        val outputs = new ContainerExecutorComponents(own, process.counts)
        new BucketedWriter(few, mapTaskId, task, metrics, outputs)
      case its: BaseShuffleHandle[_, _, _] =>
        val partitions = its.dependency.partitioner.numPartitions
        sparks(new PlacedMetrics(
          metrics,
          () => own.beginSorted(its.shuffleId, mapTaskId, partitions)
        ))
    }
}
