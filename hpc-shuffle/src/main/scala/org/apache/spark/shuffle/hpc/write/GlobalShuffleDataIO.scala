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

/** Map outputs that outlive their executors, written by Spark's own writers. */
private[spark] final class GlobalShuffleDataIO(conf: SparkConf) extends ShuffleDataIO {

  override def driver(): ShuffleDriverComponents = new GlobalDriverComponents(conf)

  override def executor(): ShuffleExecutorComponents = ContainerExecutorComponents.ofThisProcess
}

/** Makes the application's directory, and removes what is in it when nobody needs it any longer. */
private[hpc] final class GlobalDriverComponents(conf: SparkConf)
    extends LocalDiskShuffleDriverComponents
    with Logging {

  private var directory: Option[OwnedOutputs] = None
  private lazy val removals = new Removals(shuffle => directory.foreach(_.remove(shuffle)))

  override def initializeApplication(): JMap[String, String] = {
    directory = Some(SharedDirectory.create(conf))
    super.initializeApplication()
  }

  /** Of executors that are gone as well, of which Spark's message reaches none. */
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
      case failure: IOException => logWarning(s"Map outputs are left behind: $failure")
    }

  override def supportsReliableStorage(): Boolean = true
}
