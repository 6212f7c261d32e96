package org.apache.spark.hpc.profile

/** What a task's thread does at a moment, from the call that it is in. */
private[spark] object Activity {

  /** Runs, and in none of the calls below. */
  val Compute = "compute"

  /** Turns objects into bytes or back, or compresses. */
  val Serialize = "serialize"

  /** Opens a file. */
  val Open = "open"

  /** Another request to a file system's metadata server: close, status, list, rename, delete, make a directory. */
  val Metadata = "metadata"

  val Read = "read"
  val Write = "write"

  /** Waits for a thread that uses a disk on behalf of the task. */
  val Disk = "disk"

  /** Waits for data of other executors or of the driver. */
  val Network = "network"

  /** Waits for map outputs that other threads read from the shared file system. */
  val Direct = "direct"

  /** Waits for a Python worker. */
  val Python = "python"

  /** Waits for other tasks to give back memory. */
  val Memory = "memory"

  /** Waits for another thread: a lock, a queue, a sleep. */
  val Wait = "wait"

  val all: Seq[String] =
    Seq(
      Compute,
      Serialize,
      Open,
      Metadata,
      Read,
      Write,
      Disk,
      Network,
      Direct,
      Python,
      Memory,
      Wait
    )
}
