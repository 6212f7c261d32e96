package org.apache.spark

import java.util.{Map => JMap, Set => JSet}
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

import org.apache.spark.internal.config.SettingsCheck
import org.apache.spark.internal.plugin.PluginContainer

/** Adds Spark-HPC's own values to the settings of a running application on its driver.
  *
  *  1. `get` returns these values, so all of Spark in this application uses them.
  *  1. The driver sends them to executors ([[org.apache.spark.scheduler.cluster.ToldSettings]]).
  *  1. `getAll` and `clone` return the settings as the user wrote them: a program may create its next application from
  *     a copy, and stock Spark may start from the list in a streaming checkpoint.
  *  1. A key that is set or removed later is the user's own from then on.
  *
  * The settings are a plain `SparkConf`, since other shuffle managers look up constructors by its runtime class. Only
  * the map that holds its values is replaced.
  */
private[spark] object HpcConf {

  /** The class name of Spark-HPC's plug-in, as in `spark.plugins`. */
  final val Plugin = "org.apache.spark.storage.hpc.patch.HpcPlugin"

  /** The prefix of the keys under which Spark sends the values of the driver's plug-in to executors. */
  private[spark] val ToldByPlugin: String = s"${PluginContainer.EXTRA_CONF_PREFIX}$Plugin."

  /** Replaces `SparkConf.clone` where a context copies its settings. */
  def of(users: SparkConf): SparkConf = {
    val conf = users.clone
    Values.set(conf, new HpcValues(valuesOf(conf)))
    conf
  }

  /** Replaces `SparkConf.validateSettings` where a context starts. Throws a [[Refusal]] if a setting of Spark-HPC is
    * wrong.
    */
  def validate(conf: SparkConf): Unit = {
    conf.validateSettings()
    SettingsCheck(conf)
  }

  /** Sets a value that is not the user's. In a `SparkConf` that is not a context's, it is a setting like others. */
  def setOwn(conf: SparkConf, key: String, value: String): Unit = valuesOf(conf) match {
    case ours: HpcValues => ours.putOwn(key, value)
    case _ => conf.set(key, value): Unit
  }

  /** All settings in force: the user's and those that Spark-HPC sets. */
  def all(conf: SparkConf): Array[(String, String)] = valuesOf(conf) match {
    case ours: HpcValues => ours.all
    case _ => conf.getAll
  }

  private val Values = {
    val field = classOf[SparkConf].getDeclaredField("settings")
    field.setAccessible(true)
    field
  }

  private def valuesOf(conf: SparkConf) =
    Values.get(conf).asInstanceOf[ConcurrentHashMap[String, String]]
}

/** The values of a `SparkConf`. Spark-HPC's own values are found by key, but not listed.
  *
  * @param users the user's settings
  */
private final class HpcValues(users: JMap[String, String])
    extends ConcurrentHashMap[String, String](users) {

  // The user's values of the keys that Spark-HPC has set.
  private val replaced = new ConcurrentHashMap[String, Option[String]]

  def putOwn(key: String, value: String): Unit = {
    replaced.putIfAbsent(key, Option(get(key)))
    super.put(key, value): Unit
  }

  def all: Array[(String, String)] =
    super.entrySet.asScala.map(entry => entry.getKey -> entry.getValue).toArray

  override def put(key: String, value: String): String =
    if (isOurs(key)) {
      val before = get(key)
      putOwn(key, value)
      before
    } else {
      replaced.remove(key)
      super.put(key, value)
    }

  override def remove(key: AnyRef): String = {
    replaced.remove(key)
    super.remove(key)
  }

  override def entrySet: JSet[JMap.Entry[String, String]] = listed.entrySet

  private def listed: ConcurrentHashMap[String, String] = {
    val users = new ConcurrentHashMap[String, String]
    for ((key, value) <- all; shown <- replaced.getOrDefault(key, Some(value)))
      users.put(key, shown)
    users
  }

  /** Whether Spark sets this key for Spark-HPC's plug-in. */
  private def isOurs(key: String): Boolean = key.startsWith(HpcConf.ToldByPlugin)

  /** Serializes the user's settings only: the reader may be another application, or stock Spark. */
  private def writeReplace(): AnyRef = listed
}
