package org.apache.spark.hpc.profile

import org.apache.spark.SparkContext

/** Watches an application on its driver. Implementations are found by `java.util.ServiceLoader`, so that a patched Spark
  * without the jar of reports works.
  */
trait DriverObserver {

  /** A context starts; no event has been posted. */
  def start(sc: SparkContext): Unit
}
