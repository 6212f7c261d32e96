package org.apache.spark.deploy

import scala.annotation.nowarn
import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.local.LocalFs

import org.apache.spark.SparkConf
import org.apache.spark.hpc.files.{HpcLocalFileSystem, HpcLocalFs}
import org.apache.spark.internal.config.{ConfigEntry, Hpc}
import org.sparkhpc.hadoop.{PooledLocalFileSystem, PooledRawFileSystem}

/** Runs before Spark copies its settings to a new Hadoop configuration. */
private[spark] object HadoopSettings {
  private val Source = "Set by Spark-HPC"

  private val ForFileContext = "fs.AbstractFileSystem.file.impl"

  /** Makes [[HpcLocalFileSystem]] the file system for `file:`, and [[HpcLocalFs]] that of Hadoop's `FileContext`, unless
    * the site's Hadoop configuration has another. Settings of the user (`spark.hadoop.fs.file.impl`) are copied afterwards.
    * Returns false, so that Spark's own method runs next.
    */
  @nowarn("cat=unused-params") // Spark's method has them
  def before(spark: SparkHadoopUtil.type, conf: SparkConf, hadoop: Configuration): Boolean = {
    // A wrong value is refused when the context starts, in words; until then, Hadoop's own file system does.
    def set[A](key: String, setting: ConfigEntry[A]): Unit =
      for (value <- Try(conf.get(setting))) hadoop.set(key, value.toString, Source)
    val isWanted = conf != null && Try(conf.get(Hpc.FILES_ENABLED)).getOrElse(false)
    if (isWanted && hadoop.get("fs.file.impl") == null) {
      hadoop.set("fs.file.impl", classOf[HpcLocalFileSystem].getName, Source)
      // Hadoop's defaults have a class for this one.
      if (hadoop.get(ForFileContext) == classOf[LocalFs].getName)
        hadoop.set(ForFileContext, classOf[HpcLocalFs].getName, Source)
      set(PooledRawFileSystem.KindKey, Hpc.FILES_KIND)
      set(PooledLocalFileSystem.ChecksumsKey, Hpc.FILES_CHECKSUMS)
    }
    false
  }
}
