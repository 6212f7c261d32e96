package org.apache.spark.storage.hpc.scratch

import org.apache.spark.{HpcConf, SparkConf}

/** Spark's settings with one local directory, which environment variables do not override. */
private[storage] final class ScratchConf(conf: SparkConf, directory: String)
    extends SparkConf(false) {
  setAll(HpcConf.all(conf))
  set("spark.local.dir", directory)

  override private[spark] def getenv(name: String): String =
    if (ScratchConf.Hidden(name)) null else conf.getenv(name)
}

private object ScratchConf {
  private val Hidden =
    Set("CONTAINER_ID", "SPARK_EXECUTOR_DIRS", "SPARK_LOCAL_DIRS", "MESOS_SANDBOX")
}
