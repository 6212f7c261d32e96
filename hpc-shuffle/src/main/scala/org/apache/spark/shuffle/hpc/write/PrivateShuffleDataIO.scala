package org.apache.spark.shuffle.hpc.write

import org.apache.spark.SparkConf
import org.apache.spark.shuffle.api.ShuffleExecutorComponents
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO

/** Makes Spark's own writers write to the executor's containers. As in stock Spark, the map outputs are lost with their
  * executor.
  */
private[spark] final class PrivateShuffleDataIO(conf: SparkConf)
    extends LocalDiskShuffleDataIO(conf) {

  override def executor(): ShuffleExecutorComponents = ContainerExecutorComponents.ofThisProcess
}
