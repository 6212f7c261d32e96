package org.apache.spark.storage.hpc.patch

import org.apache.spark.{HpcConf, SparkConf, SparkException}
import org.apache.spark.hpc.Build
import org.apache.spark.internal.config.PLUGINS

/** Refuses to run a driver and an executor that do not have the same build of Spark-HPC.
  *
  * The driver's block manager adds [[HpcPlugin]] to `spark.plugins`. An executor of stock Spark does not have this
  * class and fails before its first task. The driver finds the class's name in the reason for the executor's loss.
  */
private[spark] object SameBuild {
  import HpcConf.{Plugin => Name}

  /** The prefix of each message about a driver and an executor that differ. */
  val Mismatch = "Spark-HPC mismatch"

  private val Remedy =
    "Start driver and workers from the same Spark-HPC, or give both spark.driver.extraJavaOptions " +
      "and spark.executor.extraJavaOptions the same -javaagent."

  private def version = Build.current.version

  /** Makes every executor of this application load the plugin. */
  def addPluginTo(conf: SparkConf): Unit =
    if (!isIn(conf)) HpcConf.setOwn(conf, PLUGINS.key, (conf.get(PLUGINS) :+ Name).mkString(","))

  /** Refuses to start an executor whose driver has no Spark-HPC. */
  def requireDriver(conf: SparkConf, executorId: String): Unit =
    if (!isIn(conf)) refuse(s"executor $executorId has Spark-HPC $version, its driver has none")

  /** Refuses to start an executor whose driver has another version. */
  def require(ofDriver: String, executorId: String): Unit =
    if (ofDriver != version)
      refuse(s"executor $executorId has Spark-HPC $version, its driver has $ofDriver")

  private def refuse(why: String) = throw new SparkException(s"$Mismatch: $why. $Remedy")

  /** The message about a mismatch, if that is the reason for an executor's loss. */
  def mismatchIn(executorId: String, reason: String): Option[String] =
    if (reason.contains(Mismatch)) Some(reason.substring(reason.indexOf(Mismatch)))
    else if (reason.contains(Name))
      Some(s"$Mismatch: the driver has Spark-HPC $version, executor $executorId has none. $Remedy")
    else None

  private def isIn(conf: SparkConf) = conf.get(PLUGINS).contains(Name)
}
