package org.apache.spark.hpc.profile

/** The part of a task that a thread is in, from the classes that called. */
private[spark] object Purpose {

  /** The functions of the user's program, or of SQL's plan, and whatever isn't below. */
  val Task = "task"

  /** Reads the application's input. */
  val Input = "input"

  /** Writes the application's output. */
  val Output = "output"

  val ShuffleRead = "shuffleRead"
  val ShuffleWrite = "shuffleWrite"

  /** Writes or reads what a sort or an aggregation keeps outside memory. */
  val Spill = "spill"

  /** Stores, evicts or reads cached blocks. */
  val Cache = "cache"

  /** Gets a broadcast variable. */
  val Broadcast = "broadcast"

  /** Does any of this to compute a cached block that was computed before ([[Recomputation]]). */
  val Recompute = "recompute"

  val all: Seq[String] =
    Seq(Task, Input, Output, ShuffleRead, ShuffleWrite, Spill, Cache, Broadcast, Recompute)
}
