package org.apache.spark.scheduler.cluster

import org.apache.spark.{HpcConf, SparkEnv}

/** What an executor is told of its application's settings: those of Spark-HPC, too. */
object ToldSettings {

  /** In place of the list that Spark made of what `SparkConf.getAll` gives, which is the user's alone. */
  def of(endpoint: CoarseGrainedSchedulerBackend#DriverEndpoint): Seq[(String, String)] = {
    val env = SparkEnv.get
    require(env.rpcEnv eq endpoint.rpcEnv, "The application of this executor is over")
    HpcConf.all(env.conf).toSeq.filter { case (key, _) => key.startsWith("spark.") }
  }
}
