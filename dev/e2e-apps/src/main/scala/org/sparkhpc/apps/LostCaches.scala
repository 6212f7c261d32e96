package org.sparkhpc.apps

import org.apache.spark.{SparkContext, SparkEnv, TaskContext}
import org.apache.spark.storage.StorageLevel

/** Caches more than fits on two executors, three times: with replicas; then it decommissions the first
  * one, as a node's manager does it, and reads what was cached again; then one of two ends in the
  * middle, while blocks are spilled as they are by default.
  */
object LostCaches {
  private val Rounds = 8
  private val Blocks = 96
  private val Words = 12500

  def main(args: Array[String]): Unit = {
    val sc = SparkContext.getOrCreate()
    val removals = new Removals
    sc.addSparkListener(removals)
    try {
      Report.storageClasses(sc, 2)
      Generations.run(sc, "replicated.", Rounds, StorageLevel.MEMORY_ONLY_2)
      unpersistAll(sc)
      decommission(sc, removals)
      unpersistAll(sc)

      sc.setLocalProperty("spark.hpc.retention.spill", "auto")
      // The one that came for the first is there.
      Report.storageClasses(sc, 2)
      def halt(round: Int): Unit = if (round == Rounds / 2) haltOne(sc)
      Generations.run(sc, "halted.", Rounds, StorageLevel.MEMORY_ONLY, halt)
    } finally sc.stop()
  }

  private def unpersistAll(sc: SparkContext): Unit =
    for (rdd <- sc.getPersistentRDDs.values) rdd.unpersist(blocking = true): Unit

  private def decommission(sc: SparkContext, removals: Removals): Unit = {
    val computed = sc.longAccumulator
    val cached = sc.range(0, Blocks.toLong, 1, Blocks).map { block =>
      computed.add(1)
      Array.fill(Words)(block)
    }.cache()
    Report.line("first", cached.map(_.sum).sum())
    Report.line("inMemory", sc.getRDDStorageInfo.map(_.memSize).sum)
    Report.line("onDisk", sc.getRDDStorageInfo.map(_.diskSize).sum)
    sc.range(0, Blocks.toLong, 1, Blocks).foreach { _ =>
      Thread.sleep(20)
      if (SparkEnv.get.executorId == "0") Decommissioning.begin()
    }
    removals.await("0")
    Report.line("again", cached.map(_.sum).sum())
    Report.line("computed", computed.value)
  }

  private def haltOne(sc: SparkContext): Unit = sc.range(0, 2, 1, 2).foreach { part =>
    if (part == 0 && TaskContext.get().attemptNumber() == 0) Runtime.getRuntime.halt(137)
  }
}
