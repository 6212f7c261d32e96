package org.apache.spark.shuffle.hpc

import org.apache.spark.{HpcConf, Refusal, SparkConf}
import org.apache.spark.internal.{config, Logging}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.shuffle.hpc.place.SharedDirectory
import org.apache.spark.shuffle.hpc.write.GlobalShuffleDataIO
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO

/** Adapts and checks the settings of Spark's own shuffle for `spark.hpc.shuffle.placement=global`. */
private[hpc] object SharedSettings extends Logging {

  /** Adapts the settings, on the driver, before anything reads them. */
  def prepare(conf: SparkConf): Unit = {
    def setOwn(key: String, value: String): Unit = HpcConf.setOwn(conf, key, value)
    if (conf.get(config.SHUFFLE_IO_PLUGIN_CLASS) == classOf[LocalDiskShuffleDataIO].getName) {
      setOwn(config.SHUFFLE_IO_PLUGIN_CLASS.key, classOf[GlobalShuffleDataIO].getName)
    }
    if (conf.get(config.SHUFFLE_SERVICE_ENABLED)) {
      logWarning(
        s"${config.SHUFFLE_SERVICE_ENABLED.key}=true has no effect: with " +
          s"${Hpc.SHUFFLE_PLACEMENT.key}=global map outputs outlive their executors without it"
      )
      setOwn(config.SHUFFLE_SERVICE_ENABLED.key, "false")
    }
    // Map outputs outlive executors, so idle executors needn't be kept for them.
    setOwn(config.DYN_ALLOCATION_SHUFFLE_TRACKING_ENABLED.key, "false")
    SharedDirectory.choose(conf)
  }

  /** Throws a [[Refusal]] for the first setting that isn't compatible with this placement. */
  def check(conf: SparkConf): Unit = {
    if (conf.get(Hpc.SHUFFLE_DIRECTORY).isEmpty) {
      throw Refusal(
        s"${Hpc.SHUFFLE_DIRECTORY.key} isn't set, and ${Hpc.SHUFFLE_PLACEMENT.key}=global needs " +
          "it: write a directory of the shared file system, such as /scratch/you/spark"
      )
    }
    if (conf.get(config.PUSH_BASED_SHUFFLE_ENABLED)) {
      refuse(config.PUSH_BASED_SHUFFLE_ENABLED.key, "true", "pushed blocks are in no container")
    }
    if (conf.get(config.SHUFFLE_USE_OLD_FETCH_PROTOCOL)) {
      refuse(config.SHUFFLE_USE_OLD_FETCH_PROTOCOL.key, "true", "task attempts would share a name")
    }
    if (conf.get(config.UNREGISTER_OUTPUT_ON_HOST_ON_FETCH_FAILURE)) {
      logWarning(
        s"${config.UNREGISTER_OUTPUT_ON_HOST_ON_FETCH_FAILURE.key}=true has no effect with " +
          s"${Hpc.SHUFFLE_PLACEMENT.key}=global: map outputs belong to no host, and after a failed fetch the driver " +
          "looks for the lost ones"
      )
    }
    val plugin = conf.get(config.SHUFFLE_IO_PLUGIN_CLASS)
    if (plugin != classOf[GlobalShuffleDataIO].getName) {
      refuse(config.SHUFFLE_IO_PLUGIN_CLASS.key, plugin, "it writes map outputs to other places")
    }
  }

  private def refuse(key: String, value: String, why: String): Unit =
    throw Refusal(
      s"$key is $value, which ${Hpc.SHUFFLE_PLACEMENT.key}=global doesn't allow: $why. Remove it"
    )
}
