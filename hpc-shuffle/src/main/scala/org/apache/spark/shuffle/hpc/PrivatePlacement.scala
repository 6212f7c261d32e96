package org.apache.spark.shuffle.hpc

import org.apache.spark.SparkConf
import org.apache.spark.internal.config
import org.apache.spark.internal.config.Hpc
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO

/** What `spark.hpc.shuffle.placement=fastest` means for the settings of Spark's own shuffle. */
private[hpc] object PrivatePlacement {

  /** Chooses containers, on the driver, before anything reads the settings; but not where somebody else
    * looks for map outputs in files of Spark's own.
    */
  def prepare(conf: SparkConf): Unit = {
    val isReadByOthers = conf.get(config.SHUFFLE_SERVICE_ENABLED) ||
      conf.get(config.PUSH_BASED_SHUFFLE_ENABLED) ||
      conf.get(config.SHUFFLE_USE_OLD_FETCH_PROTOCOL) ||
      conf.get(config.STORAGE_DECOMMISSION_FALLBACK_STORAGE_PATH).nonEmpty
    val isSparks =
      conf.get(config.SHUFFLE_IO_PLUGIN_CLASS) == classOf[LocalDiskShuffleDataIO].getName
    if (isSparks && !isReadByOthers && conf.get(Hpc.SHUFFLE_CONTAINERS))
      conf.set(config.SHUFFLE_IO_PLUGIN_CLASS, classOf[PrivateShuffleDataIO].getName)
  }

  /** Whether executors that are decommissioned move their outputs, as far as Spark's settings say so. */
  def isEvacuated(conf: SparkConf): Boolean = isChosen(conf) && Seq(
    config.DECOMMISSION_ENABLED,
    config.STORAGE_DECOMMISSION_ENABLED,
    config.STORAGE_DECOMMISSION_SHUFFLE_BLOCKS_ENABLED
  ).forall(conf.get(_))

  /** Whether containers were chosen. */
  def isChosen(conf: SparkConf): Boolean =
    conf.get(config.SHUFFLE_IO_PLUGIN_CLASS) == classOf[PrivateShuffleDataIO].getName
}
