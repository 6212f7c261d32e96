package org.apache.spark.shuffle.hpc.write

import java.io.IOException
import java.util.{Map => JMap}

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging
import org.apache.spark.shuffle.api.{
  ShuffleDataIO,
  ShuffleDriverComponents,
  ShuffleExecutorComponents
}
import org.apache.spark.shuffle.hpc.place.{OwnedOutputs, Removals, SharedDirectory}
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDriverComponents

/** Makes Spark's own writers write map outputs that outlive their executors. */
private[spark] final class GlobalShuffleDataIO(conf: SparkConf) extends ShuffleDataIO {

  override def driver(): ShuffleDriverComponents = new GlobalDriverComponents(conf)

  override def executor(): ShuffleExecutorComponents = ContainerExecutorComponents.ofThisProcess
}

/** Creates the application's directory, and removes outputs from it when nobody needs them any longer. */
private[hpc] final class GlobalDriverComponents(conf: SparkConf)
    extends LocalDiskShuffleDriverComponents
    with Logging {

  private var directory: Option[OwnedOutputs] = None
  private lazy val removals = new Removals(shuffle => directory.foreach(_.remove(shuffle)))

  override def initializeApplication(): JMap[String, String] = {
    directory = Some(SharedDirectory.create(conf))
    super.initializeApplication()
  }

  /** Also removes the outputs of executors that are gone, which Spark's message doesn't reach. */
  override def removeShuffle(shuffle: Int, blocking: Boolean): Unit = {
    super.removeShuffle(shuffle, blocking)
    val removal = removals.begin(shuffle)
    if (blocking) removal.get(): Unit
  }

  override def cleanupApplication(): Unit =
    try {
      removals.close()
      directory.foreach(_.remove())
    } catch {
      case failure: IOException => logWarning(s"Cannot remove all map outputs: $failure")
    }

  override def supportsReliableStorage(): Boolean = true
}
