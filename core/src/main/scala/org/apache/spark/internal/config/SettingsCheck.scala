package org.apache.spark.internal.config

import scala.util.Try

import org.apache.commons.text.similarity.LevenshteinDistance

import org.apache.spark.{Refusal, SparkConf}

/** Refuses the first `spark.hpc` setting that does not exist or has a wrong value. */
private[spark] object SettingsCheck {
  import Hpc._

  def apply(conf: SparkConf): Unit = {
    for (
      (rest, value) <- conf.getAllWithPrefix(Prefix).sorted; wrong <- unknown(Prefix + rest, value)
    )
      throw Refusal(wrong)
    for (Setting(entry, values) <- settings if Try(conf.get(entry)).isFailure)
      throw Refusal(s"${entry.key} is '${conf.get(entry.key)}': write ${values.replace("`", "")}")
  }

  /** The message for an unknown key; None if the key is known. */
  def unknown(key: String, value: String): Option[String] =
    if (key == SCRATCH_DECIDED.key || settings.exists(_.entry.key == key)) None
    else if (renamed.contains(key))
      Some(s"$key (set to '$value') has another name now: write ${renamed(key)}")
    else
      Some(
        s"$key (set to '$value') is no setting of Spark-HPC: remove it, or write ${nearest(key)} if that was meant"
      )

  private def nearest(key: String): String =
    settings.map(_.entry.key).minBy(its =>
      LevenshteinDistance.getDefaultInstance.apply(its, key).intValue
    )
}
