package org.apache.spark.scheduler.cluster

import org.apache.spark.{HpcConf, SparkEnv}

/** The application's settings that the driver sends to executors, including those that Spark-HPC sets. */
object ToldSettings {

  /** Replaces Spark's list, which is made from `SparkConf.getAll` and so has only the user's settings. */
  def of(endpoint: CoarseGrainedSchedulerBackend#DriverEndpoint): Seq[(String, String)] = {
    val env = SparkEnv.get
    require(env.rpcEnv eq endpoint.rpcEnv, "The application of this executor has ended")
    HpcConf.all(env.conf).toSeq.filter { case (key, _) => key.startsWith("spark.") }
  }
}
