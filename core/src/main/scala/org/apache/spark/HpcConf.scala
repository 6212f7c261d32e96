package org.apache.spark

import java.util.{Map => JMap, Set => JSet}
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

import org.apache.spark.internal.config.SettingsCheck
import org.apache.spark.storage.hpc.patch.HpcPlugin

/** Sets what is Spark-HPC's own in the settings of a running application on its driver.
  *
  *  1. `get` finds our values, and so does all of Spark that runs in this application.
  *  1. Executors are told them ([[org.apache.spark.scheduler.cluster.ToldSettings]]).
  *  1. What is listed or copied is as the user wrote it: `getAll`, `clone`. A program makes its next
  *     application from a copy, and a checkpoint of a stream holds a list, from which stock Spark may start.
  *  1. Who sets or removes a key later has it as the user's own from then on.
  *
  * The settings are a `SparkConf` and no subclass of it, since other shuffle managers look for constructors
  * by its runtime class. What is ours is in the map that it keeps its values in.
  */
private[spark] object HpcConf {

  /** In place of `SparkConf.clone` where a context takes its settings. */
  def of(users: SparkConf): SparkConf = {
    val conf = users.clone
    Values.set(conf, new HpcValues(valuesOf(conf)))
    conf
  }

  /** In place of `SparkConf.validateSettings` where a context begins; a [[Refusal]] if one of ours is wrong. */
  def validate(conf: SparkConf): Unit = {
    conf.validateSettings()
    SettingsCheck(conf)
  }

  /** Sets what isn't the user's: as any setting in what isn't a context's. */
  def setOwn(conf: SparkConf, key: String, value: String): Unit = valuesOf(conf) match {
    case ours: HpcValues => ours.putOwn(key, value)
    case _ => conf.set(key, value): Unit
  }

  /** All that is in force, ours with the user's. */
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

/** The values of a `SparkConf`, of which some are ours: they are found by their keys, and not listed.
  *
  * @param users what the user wrote
  */
private final class HpcValues(users: JMap[String, String])
    extends ConcurrentHashMap[String, String](users) {

  // What the user wrote under the keys that have a value of ours.
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

  /** Of what Spark sets in our name. */
  private def isOurs(key: String): Boolean = key.startsWith(HpcPlugin.Passed)

  /** Whoever reads it may be of another application, or a stock Spark. */
  private def writeReplace(): AnyRef = listed
}
