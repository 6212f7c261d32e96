package org.apache.spark.shuffle

import scala.util.Try

import org.apache.spark.{SPARK_VERSION, SparkConf}
import org.apache.spark.hpc.Build
import org.apache.spark.internal.{config, Logging}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.util.Utils

/** Which shuffle manager an application gets that names none in `spark.shuffle.manager`.
  *
  * The setting itself stays unset: a stock executor then still starts, and is known for one.
  */
object ShuffleManagers extends Logging {

  /** Of hpc-shuffle, which stands on this. */
  val Ours: String = "org.apache.spark.shuffle.hpc.HpcShuffleManager"

  /** In place of `Utils.instantiateSerializerOrShuffleManager` in `SparkEnv.create`.
    *
    * @param name that Spark would take
    */
  def instantiate(utils: Utils.type, name: String, conf: SparkConf, isDriver: Boolean): AnyRef = {
    // The site module gives every driver a directory, for those who want it, and a variable.
    val isUsers = conf.contains(Hpc.SHUFFLE_DIRECTORY) && conf.getenv("SPARK_HPC_MEMORY") == null
    if (isDriver && isUsers && !isGlobal(conf))
      logWarning(
        s"${Hpc.SHUFFLE_DIRECTORY.key} isn't used, since ${Hpc.SHUFFLE_PLACEMENT.key} isn't global: set that as well, or " +
          "leave the directory out"
      )
    val isOurs = !conf.contains(config.SHUFFLE_MANAGER) && isWanted(conf) && isThere
    if (isOurs && isDriver) {
      logInfo(s"Map outputs are in containers; with ${config.SHUFFLE_MANAGER.key}=sort they aren't")
    }
    utils.instantiateSerializerOrShuffleManager[AnyRef](if (isOurs) Ours else name, conf, isDriver)
  }

  /** Driver and executors have to agree, by what the driver's manager makes of the settings. */
  private def isWanted(conf: SparkConf): Boolean =
    isGlobal(conf) || mayContain(conf)

  private def isGlobal(conf: SparkConf): Boolean =
    conf.getOption(Hpc.SHUFFLE_PLACEMENT.key).contains("global")

  /** Whether map outputs that live and die with their executor may be in containers. They may not where
    * somebody else looks for them in files of Spark's own.
    */
  def mayContain(conf: SparkConf): Boolean = {
    val isReadByOthers = conf.get(config.SHUFFLE_SERVICE_ENABLED) ||
      conf.get(config.PUSH_BASED_SHUFFLE_ENABLED) ||
      conf.get(config.SHUFFLE_USE_OLD_FETCH_PROTOCOL) ||
      conf.get(config.STORAGE_DECOMMISSION_FALLBACK_STORAGE_PATH).nonEmpty
    !isReadByOthers && conf.get(Hpc.SHUFFLE_CONTAINERS)
  }

  /** A patched copy of another Spark hasn't got it, and to the agent's another release may have come. */
  private def isThere: Boolean =
    SPARK_VERSION == Build.current.spark &&
      Try(Class.forName(Ours, false, Utils.getContextOrSparkClassLoader)).isSuccess
}
