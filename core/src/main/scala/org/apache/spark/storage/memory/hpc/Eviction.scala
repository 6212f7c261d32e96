package org.apache.spark.storage.memory.hpc

import org.apache.spark.internal.Logging
import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.{BlockId, BlockInfoManager}
import org.sparkhpc.retain.RetentionPolicy

/** Evicts blocks as Spark does, except that ready blocks, whose eviction needs no write, are evicted first.
  *
  *  1. For a cached block, only ready blocks are evicted: the cached block can go to disk instead, and as many blocks
  *     as possible were made ready before.
  *  1. For running tasks, which would fail, and broadcasts, which jobs wait for, blocks that are not ready are evicted
  *     as well. They are written only if their storage level includes disk.
  *
  * @param drop drops a block whose write lock is held, and releases the lock
  */
private[memory] final class Eviction(
    locks: BlockInfoManager,
    order: EvictionOrder,
    policy: RetentionPolicy[BlockId],
    drop: (BlockId, Resident) => Unit
) extends Logging {

  /** Evicts blocks of at least `space` bytes. Returns the bytes freed; 0, without an eviction, if there are not enough
    * blocks.
    *
    * @param spilling None if no block may be spilled
    * @param newcomer the block that needs the memory; None if a task does
    */
  def evict(
      spilling: Option[EvictionAdvice],
      newcomer: Option[BlockId],
      space: Long,
      mode: MemoryMode
  ): Long = {
    val rdd = newcomer.flatMap(_.asRDDId).map(_.rddId)
    val victims = new Victims(locks, mode, space, order.walk(rdd))
    val all = order.bytesBut(rdd, mode)
    if (all >= space) spilling match {
      case None => victims.take(all)(_ => true)
      case Some(advice) => select(advice, victims, rdd, mode, space)
    }
    if (victims.suffice && newcomer.forall(policy.isWorth(_, victims.all.map(_._1)))) {
      victims.all.foreach { case (id, _) => policy.evicted(id) }
      dropAll(victims.all)
      spilling.foreach(_.memoryChanged())
      victims.freed
    } else {
      victims.release()
      0
    }
  }

  private def select(
      advice: EvictionAdvice,
      victims: Victims,
      rdd: Option[Int],
      mode: MemoryMode,
      space: Long
  ): Unit = {
    val mustFree = rdd.isEmpty
    val ready = order.readyBytes(rdd, mode)
    if (mustFree || ready >= space) victims.take(ready)(order.isReady)
    if (!victims.suffice) {
      advice.fellBehind(losing = mustFree)
      if (mustFree) {
        val all = order.bytesBut(rdd, mode)
        victims.take(all)(advice.isDroppable)
        if (advice.mayWriteNow) victims.take(all)(_ => true)
      }
    }
  }

  /** Drops blocks whose write locks are held. Releases all of these locks, even if a drop fails. */
  private def dropAll(victims: Seq[(BlockId, Resident)]): Unit = {
    logInfo(s"${victims.size} blocks selected for dropping")
    var done = 0
    try
      victims.foreach { case (id, resident) =>
        drop(id, resident)
        done += 1
      }
    finally victims.drop(done).foreach { case (id, _) => locks.unlock(id) }
  }
}
