package org.apache.spark.shuffle.hpc.place

import org.apache.spark.storage.BlockManagerId

/** The places in a shared directory at which thin executors keep map outputs. Only a patched Spark has them. */
private[spark] object SharedPlaces {

  /** The marker of the first container that an executor writes for a shuffle. */
  def of(executor: BlockManagerId, shuffle: Int): BlockManagerId =
    OutputPlace(executor.executorId, shuffle, "0", executor.host, executor.port).marker
}
