package org.apache.spark

import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._

import org.apache.spark.storage.HpcPlugin

/** The settings of a running application on its driver, of which some are Spark-HPC's own.
  *
  *  1. `get` finds our values, and so does all of Spark that runs in this application.
  *  1. Executors are told them ([[org.apache.spark.scheduler.cluster.ToldSettings]]).
  *  1. What is listed or copied is as the user wrote it: `getAll`, `clone`. A program makes its next
  *     application from a copy, and a checkpoint of a stream holds a list, from which stock Spark may start.
  *  1. Who sets or removes a key later has it as the user's own from then on.
  *
  * @param written what the user wrote, which nobody else has
  */
private[spark] final class HpcConf private (written: SparkConf)
    extends SparkConf(loadDefaults = false) {

  // What the user wrote under the keys that have a value of ours.
  private val replaced = new ConcurrentHashMap[String, Option[String]]

  for ((key, value) <- written.getAll) super.set(key, value, silent = true)

  private def setOwn(key: String, value: String): Unit = {
    replaced.putIfAbsent(key, all.collectFirst { case (`key`, users) => users })
    super.set(key, value, silent = true): Unit
  }

  private def all: Array[(String, String)] = super.getAll

  private[spark] override def set(key: String, value: String, silent: Boolean): SparkConf =
    if (HpcConf.isOurs(key)) {
      setOwn(key, value)
      this
    } else {
      replaced.remove(key)
      super.set(key, value, silent)
    }

  override def remove(key: String): SparkConf = {
    replaced.remove(key)
    super.remove(key)
  }

  override def getAll: Array[(String, String)] =
    all.filterNot { case (key, _) => replaced.containsKey(key) } ++
      replaced.asScala.collect { case (key, Some(users)) => (key, users) }

  /** Of ours, too: Spark asks for those of a plugin by their prefix. */
  override def getAllWithPrefix(prefix: String): Array[(String, String)] =
    all.collect { case (key, value) if key.startsWith(prefix) => (key.drop(prefix.length), value) }

  override def clone: SparkConf = {
    val copy = written.clone
    val users = getAll.toMap
    for ((key, _) <- copy.getAll if !users.contains(key)) copy.remove(key)
    for ((key, value) <- users) copy.set(key, value, silent = true)
    copy
  }

  private[spark] override def getenv(name: String): String = written.getenv(name)

  /** Whoever reads it may be of another application, or a stock Spark. */
  private def writeReplace(): AnyRef = clone
}

private[spark] object HpcConf {

  /** Of what Spark sets in our name. */
  private def isOurs(key: String): Boolean = key.startsWith(HpcPlugin.Passed)

  /** In place of `SparkConf.clone` where a context takes its settings. */
  def of(users: SparkConf): SparkConf = new HpcConf(users.clone)

  /** Sets what isn't the user's: as any setting in what isn't a context's. */
  def setOwn(conf: SparkConf, key: String, value: String): Unit = conf match {
    case ours: HpcConf => ours.setOwn(key, value)
    case other => other.set(key, value): Unit
  }

  /** All that is in force, ours with the user's. */
  def all(conf: SparkConf): Array[(String, String)] = conf match {
    case ours: HpcConf => ours.all
    case other => other.getAll
  }
}
