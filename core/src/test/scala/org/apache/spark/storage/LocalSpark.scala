package org.apache.spark.storage

import org.apache.spark.{SparkConf, SparkContext, SparkEnv}
import org.apache.spark.hpc.Build
import org.apache.spark.storage.hpc.disk.HpcDiskStore

/** A Spark in this process, for one test at a time. */
trait LocalSpark {

  def withSpark[A](cores: Int, settings: (String, String)*)(test: SparkContext => A): A = {
    val conf = new SparkConf()
      .setMaster(s"local[$cores]")
      .setAppName(Build.current.version)
      .set("spark.ui.enabled", "false")
      .setAll(settings)
    val sc = new SparkContext(conf)
    try test(sc)
    finally sc.stop()
  }

  def store: HpcDiskStore = SparkEnv.get.blockManager.diskStore.asInstanceOf[HpcDiskStore]
}
