package org.apache.spark.shuffle

import scala.util.Try

import org.apache.spark.SparkConf
import org.apache.spark.internal.{config, Logging}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.util.Utils

/** Chooses the shuffle manager of an application that does not set `spark.shuffle.manager`.
  *
  * The setting itself stays unset, so that a stock executor still starts and can be recognized.
  */
object ShuffleManagers extends Logging {

  /** The manager of the module hpc-shuffle, which depends on this module. */
  val Ours: String = "org.apache.spark.shuffle.hpc.HpcShuffleManager"

  /** Replaces `Utils.instantiateSerializerOrShuffleManager` in `SparkEnv.create`.
    *
    * @param name the class name that Spark would use
    */
  def instantiate(utils: Utils.type, name: String, conf: SparkConf, isDriver: Boolean): AnyRef = {
    // The site module sets the directory for every driver, in case it is wanted, and also this variable.
    val isUsers = conf.contains(Hpc.SHUFFLE_DIRECTORY) && conf.getenv("SPARK_HPC_MEMORY") == null
    if (isDriver && isUsers && !isGlobal(conf))
      logWarning(
        s"${Hpc.SHUFFLE_DIRECTORY.key} isn't used, since ${Hpc.SHUFFLE_PLACEMENT.key} isn't global: " +
          "set the placement to global as well, or unset the directory"
      )
    val isOurs = !conf.contains(config.SHUFFLE_MANAGER) && isWanted(conf) && isThere
    if (isOurs && isDriver) {
      logInfo(
        s"Map outputs are in containers. Set ${config.SHUFFLE_MANAGER.key}=sort for Spark's own files"
      )
    }
    utils.instantiateSerializerOrShuffleManager[AnyRef](if (isOurs) Ours else name, conf, isDriver)
  }

  /** Driver and executors must choose the same manager, given the settings that the driver's manager has completed. */
  private def isWanted(conf: SparkConf): Boolean =
    isGlobal(conf) || mayContain(conf)

  private def isGlobal(conf: SparkConf): Boolean =
    conf.getOption(Hpc.SHUFFLE_PLACEMENT.key).contains("global")

  /** Whether map outputs that are lost with their executor may be in containers. They may not if another service reads
    * them from Spark's own files.
    */
  def mayContain(conf: SparkConf): Boolean = {
    val isReadByOthers = conf.get(config.SHUFFLE_SERVICE_ENABLED) ||
      conf.get(config.PUSH_BASED_SHUFFLE_ENABLED) ||
      conf.get(config.SHUFFLE_USE_OLD_FETCH_PROTOCOL) ||
      conf.get(config.STORAGE_DECOMMISSION_FALLBACK_STORAGE_PATH).nonEmpty
    !isReadByOthers && conf.get(Hpc.SHUFFLE_CONTAINERS)
  }

  /** Whether the manager is on the class path. It isn't if somebody has removed its jar from a patched copy. */
  private def isThere: Boolean =
    Try(Class.forName(Ours, false, Utils.getContextOrSparkClassLoader)).isSuccess
}
