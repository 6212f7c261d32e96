package org.apache.spark.shuffle.hpc.write

import org.apache.spark.SparkEnv
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OwnContainers

/** A shuffle manager that writes containers.
  *
  * Spark makes its plug-in for shuffle files by reflection, from the settings alone, so the plug-in gets the containers
  * from this trait.
  */
private[hpc] trait ContainerOwner {
  def own: OwnContainers
  def counts: RouteCounts
}

private[hpc] object ContainerOwner {

  /** The shuffle manager of this process. */
  def ofThisProcess: ContainerOwner = SparkEnv.get.shuffleManager.asInstanceOf[ContainerOwner]
}
