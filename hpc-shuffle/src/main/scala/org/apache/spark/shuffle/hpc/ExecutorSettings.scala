package org.apache.spark.shuffle.hpc

import org.apache.spark.{HpcConf, SparkConf}
import org.apache.spark.internal.config
import org.apache.spark.shuffle.ShuffleManagers
import org.apache.spark.shuffle.hpc.write.PrivateShuffleDataIO
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO

/** Adapts the settings of Spark's own shuffle to `spark.hpc.shuffle.placement=fastest`. */
private[hpc] object ExecutorSettings {

  /** Selects containers unless the user's settings exclude them. Called on the driver before anything reads the
    * settings.
    */
  def prepare(conf: SparkConf): Unit = {
    val isSparks =
      conf.get(config.SHUFFLE_IO_PLUGIN_CLASS) == classOf[LocalDiskShuffleDataIO].getName
    if (isSparks && ShuffleManagers.mayContain(conf))
      HpcConf.setOwn(
        conf,
        config.SHUFFLE_IO_PLUGIN_CLASS.key,
        classOf[PrivateShuffleDataIO].getName
      )
  }

  /** Whether Spark's settings let decommissioned executors move their outputs. */
  def isEvacuated(conf: SparkConf): Boolean = isChosen(conf) && Seq(
    config.DECOMMISSION_ENABLED,
    config.STORAGE_DECOMMISSION_ENABLED,
    config.STORAGE_DECOMMISSION_SHUFFLE_BLOCKS_ENABLED
  ).forall(conf.get(_))

  /** Whether containers were chosen. */
  def isChosen(conf: SparkConf): Boolean =
    conf.get(config.SHUFFLE_IO_PLUGIN_CLASS) == classOf[PrivateShuffleDataIO].getName
}
