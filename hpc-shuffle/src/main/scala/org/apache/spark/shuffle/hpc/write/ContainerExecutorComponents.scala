package org.apache.spark.shuffle.hpc.write

import java.util.{Map => JMap, Optional}

import org.apache.spark.SparkEnv
import org.apache.spark.internal.config.IO_ENCRYPTION_ENABLED
import org.apache.spark.shuffle.api.{
  ShuffleExecutorComponents,
  ShuffleMapOutputWriter,
  SingleSpillShuffleMapOutputWriter
}
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OwnContainers

/** Makes Spark's writers write to this executor's containers. */
private[hpc] final class ContainerExecutorComponents(own: OwnContainers, counts: RouteCounts)
    extends ShuffleExecutorComponents {

  override def initializeExecutor(id: String, executor: String, extra: JMap[String, String]): Unit =
    ()

  override def createMapOutputWriter(
      shuffle: Int,
      mapTaskId: Long,
      partitions: Int
  ): ShuffleMapOutputWriter =
    new ContainerMapOutputWriter(
      own.begin(shuffle, partitions),
      mapTaskId,
      partitions,
      isEncrypted = SparkEnv.get.conf.get(IO_ENCRYPTION_ENABLED)
    )

  override def createSingleFileMapOutputWriter(
      shuffle: Int,
      mapTaskId: Long
  ): Optional[SingleSpillShuffleMapOutputWriter] =
    Optional.of(new ContainerFileWriter(own, shuffle, mapTaskId, counts))
}

private[hpc] object ContainerExecutorComponents {

  def ofThisProcess: ContainerExecutorComponents = {
    val owner = ContainerOwner.ofThisProcess
    new ContainerExecutorComponents(owner.own, owner.counts)
  }
}
