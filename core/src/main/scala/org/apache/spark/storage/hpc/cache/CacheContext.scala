package org.apache.spark.storage.hpc.cache

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Hpc
import org.apache.spark.memory.MemoryManager
import org.apache.spark.storage.{BlockId, BlockInfo, BlockManager, RDDBlockId}
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.apache.spark.storage.memory.hpc.{HpcMemoryStore, SpillableLevel}
import org.sparkhpc.retain.{RetentionPolicy, SpillRules}
import org.sparkhpc.tier.MemoryShare

/** The state that the parts of a [[SpillingCache]] share: the stores that hold the blocks, the place that blocks are
  * spilled to, and the counts.
  *
  * Fields that depend on settings are lazy: they are first used after the settings were checked.
  *
  * @param manager the block manager of this process
  * @param memory the memory manager that blocks in memory are charged to
  */
private[storage] final class CacheContext(val manager: BlockManager, val memory: MemoryManager) {
  val conf: SparkConf = manager.conf
  val rules = new SpillRules
  val counts = new SpillCounts
  val rdds = new RddCounts

  lazy val inMemory: HpcMemoryStore = manager.memoryStore.asInstanceOf[HpcMemoryStore]
  lazy val onDisk: HpcDiskStore = manager.diskStore.asInstanceOf[HpcDiskStore]

  lazy val place: SpillPlace =
    SpillPlace.of(manager.diskBlockManager.localDirs, conf.get(Hpc.SCRATCH_KIND))
  lazy val share: Option[MemoryShare] = SpillPlace.share(place, manager.diskBlockManager, conf)
  lazy val spilled = new SpilledBlocks(manager, counts, rdds, share)
  lazy val elements =
    new SpillableElements(manager.serializerManager, rules, counts, inMemory.speed)

  def policy: RetentionPolicy[BlockId] = inMemory.policy

  @volatile private var hasSpillable = false

  /** Whether this process has, or had, a block that may be spilled. Until then, everything is as in stock Spark. */
  def isSpilling: Boolean = hasSpillable

  def beginSpilling(): Unit = hasSpillable = true

  def infoOf(blockId: BlockId): Option[BlockInfo] = manager.blockInfoManager.get(blockId)

  /** To be called when a task has released its lock on the block: a trace says when nobody reads it any more. */
  def released(blockId: BlockId): Unit =
    for {
      trace <- inMemory.trace
      id <- blockId.asRDDId if infoOf(id).forall(_.readerCount == 0)
    } trace.released(id)

  /** Computes a block of an RDD. */
  def compute[T](blockId: RDDBlockId, values: () => Iterator[T]): Iterator[T] =
    rdds.compute(blockId, values)

  def takeRddFigures(): Map[String, Double] = rdds.take()

  /** To be called when Spark has removed the blocks of an RDD that was unpersisted. */
  def forget(rddId: Int): Unit = {
    rules.forget(rddId)
    spilled.forget(rddId)
    rdds.forget(rddId)
    inMemory.speed.forget(rddId)
    policy.forgotten(rddId)
  }

  /** The level of a block of this process that may be spilled; None for any other block. */
  def levelOf(blockId: BlockId): Option[SpillableLevel] =
    if (blockId.isRDD) infoOf(blockId).map(_.level).collect { case level: SpillableLevel => level }
    else None
}
