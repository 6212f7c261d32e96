package org.apache.spark.internal.config

import org.apache.spark.SparkConf
import org.apache.spark.network.util.ByteUnit

/** All settings of Spark-HPC, each declared once; docs/configuration.md is made from this. */
private[spark] object Hpc {

  /** @param values what may be written there, in words */
  final case class Setting(entry: ConfigEntry[_], values: String)

  val Prefix = "spark.hpc."

  val RETENTION_SPILL: ConfigEntry[String] = ConfigBuilder("spark.hpc.retention.spill")
    .doc(
      "What becomes of a cached RDD block whose storage level has no disk, such as MEMORY_ONLY, " +
        "when there is no room for it in memory. auto: it is written to spark.local.dir and read " +
        "back from there, as long as that is no shared file system; a block that can't be " +
        "written or read is computed again, as in stock Spark. never: it is dropped and computed " +
        "again. As a local property of a SparkContext (setLocalProperty) it holds for the RDDs " +
        "that jobs of that thread put into the cache."
    )
    .version("3.5.7-hpc-1")
    .stringConf
    .checkValues(Set("auto", "never"))
    .createWithDefault("auto")

  val RETENTION_RESERVE: OptionalConfigEntry[Long] = ConfigBuilder("spark.hpc.retention.reserve")
    .doc(
      "What spilled cache blocks leave free on the file system of each directory in " +
        "spark.local.dir. When a shuffle or a sort needs that room, spilled blocks are deleted, " +
        "the oldest first. Unset, it is a tenth of the file system, at most 4 GiB."
    )
    .version("3.5.7-hpc-1")
    .bytesConf(ByteUnit.BYTE)
    .checkValue(_ >= 0, "it must be 0 or more bytes, such as 2g")
    .createOptional

  val settings: Seq[Setting] = Seq(
    Setting(RETENTION_SPILL, "`auto` or `never`"),
    Setting(RETENTION_RESERVE, "bytes, such as `2g`")
  )

  /** Throws one error for the first setting that nobody knows or whose value is wrong. */
  def check(conf: SparkConf): Unit = {
    val known = settings.map(_.entry.key)
    for ((key, value) <- conf.getAllWithPrefix(Prefix).sorted if !known.contains(Prefix + key))
      throw new IllegalArgumentException(
        s"$Prefix$key (set to '$value') is no setting of Spark-HPC: remove it, or write one of " +
          known.mkString(", ")
      )
    for (Setting(entry, values) <- settings)
      try conf.get(entry)
      catch {
        case failure: IllegalArgumentException =>
          throw new IllegalArgumentException(
            s"${entry.key} is '${conf.get(entry.key)}' but must be $values: ${failure.getMessage}"
          )
      }
  }
}
