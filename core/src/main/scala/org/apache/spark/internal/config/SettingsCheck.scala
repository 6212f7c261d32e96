package org.apache.spark.internal.config

import scala.util.Try

import org.apache.commons.text.similarity.LevenshteinDistance

import org.apache.spark.{Refusal, SparkConf}

/** Refuses the first setting of ours that doesn't exist, or whose value is wrong. */
private[spark] object SettingsCheck {
  import Hpc._

  def apply(conf: SparkConf): Unit = {
    for ((rest, value) <- conf.getAllWithPrefix(Prefix).sorted; key = Prefix + rest if !isKnown(key))
      throw Refusal(
        s"$key (set to '$value') is no setting of Spark-HPC: remove it, or write ${nearest(key)} if that was meant"
      )
    for (Setting(entry, values) <- settings if Try(conf.get(entry)).isFailure)
      throw Refusal(s"${entry.key} is '${conf.get(entry.key)}': write ${values.replace("`", "")}")
  }

  private def isKnown(key: String): Boolean =
    key == SCRATCH_DECIDED.key || settings.exists(_.entry.key == key)

  private def nearest(key: String): String =
    settings.map(_.entry.key).minBy(its => LevenshteinDistance.getDefaultInstance.apply(its, key).intValue)
}
