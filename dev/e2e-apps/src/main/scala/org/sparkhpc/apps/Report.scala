package org.sparkhpc.apps

import scala.concurrent.duration._

import org.apache.spark.SparkContext
import org.apache.spark.examples.hpc.{ExecutorCensus, StorageClasses}

/** What an application prints for its test to read. */
object Report {

  def line(name: String, value: Any): Unit = println(s"$name=$value")

  /** The classes of so many executors and of the driver, as PatchCheck shows them. A local master has no executors. */
  def storageClasses(sc: SparkContext, executors: Int): Unit = {
    val answers = new ExecutorCensus(sc, if (sc.isLocal) 0 else executors, 120.seconds).take()
    (answers :+ StorageClasses.here()).foreach(println)
  }
}
