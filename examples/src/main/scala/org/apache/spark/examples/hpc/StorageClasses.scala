package org.apache.spark.examples.hpc

import org.apache.spark.SparkEnv

/** Which classes keep blocks in one process of an application, as that process itself sees them. */
final case class StorageClasses(
    executor: String,
    host: String,
    blockManager: String,
    memoryStore: String,
    diskBlockManager: String,
    diskStore: String,
    version: String
) {

  /** Those that are Spark's own; ours are told by their names, so that no jar of ours is needed. */
  def unpatched: Seq[String] =
    Seq(blockManager, memoryStore, diskBlockManager, diskStore).filterNot { name =>
      name.substring(name.lastIndexOf('.') + 1).startsWith("Hpc")
    }

  override def toString: String =
    s"executor=$executor host=$host blockManager=$blockManager memoryStore=$memoryStore " +
      s"diskBlockManager=$diskBlockManager diskStore=$diskStore version=$version"
}

object StorageClasses {

  /** Of the process that calls it: in a task, an executor's. */
  def here(): StorageClasses = {
    val env = SparkEnv.get
    val blocks = env.blockManager
    StorageClasses(
      executor = env.executorId,
      host = blocks.blockManagerId.host,
      blockManager = blocks.getClass.getName,
      memoryStore = blocks.memoryStore.getClass.getName,
      diskBlockManager = blocks.diskBlockManager.getClass.getName,
      diskStore = blocks.diskStore.getClass.getName,
      version = BuildVersion.here()
    )
  }

  /** What is wrong with an application of these processes, if anything is. */
  def complaint(processes: Seq[StorageClasses]): Option[String] = {
    val unpatched = processes.filter(_.unpatched.nonEmpty)
    val versions = processes.map(_.version).distinct
    if (unpatched.nonEmpty) {
      val first = unpatched.head
      Some(
        s"${unpatched.size} of ${processes.size} processes run stock classes, the first being " +
          s"executor=${first.executor} with ${first.unpatched.mkString(", ")}; start them all " +
          "from a Spark-HPC distribution"
      )
    } else if (versions.size > 1) {
      Some(
        s"versions differ: ${versions.mkString(", ")}; start all processes from one distribution"
      )
    } else {
      None
    }
  }
}
