package org.apache.spark.shuffle.hpc.write

import org.apache.spark.SparkConf
import org.apache.spark.shuffle.api.ShuffleExecutorComponents
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO

/** Map outputs that are lost with their executors, as in stock Spark, but in its containers. */
private[spark] final class PrivateShuffleDataIO(conf: SparkConf)
    extends LocalDiskShuffleDataIO(conf) {

  override def executor(): ShuffleExecutorComponents = ContainerExecutorComponents.ofThisProcess
}
