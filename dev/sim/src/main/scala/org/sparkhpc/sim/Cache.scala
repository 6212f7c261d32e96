package org.sparkhpc.sim

import scala.collection.mutable

import org.sparkhpc.retain.RetentionPolicy
import org.sparkhpc.retain.trace.TraceBlock

/** The cached blocks of one executor in a replay: which are in memory, on disk, and in use. */
private[sim] final class Cache(policy: RetentionPolicy[TraceBlock], maySpill: Boolean) {
  import Cache._

  private val inMemory = mutable.HashMap.empty[TraceBlock, Long]
  private val onDisk = mutable.HashSet.empty[TraceBlock]
  private val locked = mutable.HashSet.empty[TraceBlock]
  private val inUse = mutable.HashMap.empty[TraceBlock, Int]
  private var bytes = 0L
  private var evicted = 0L

  /** The bytes of all blocks in memory. */
  def used: Long = bytes

  def evictions: Long = evicted

  def holds(block: TraceBlock): Boolean = inMemory.contains(block)

  def hasOnDisk(block: TraceBlock): Boolean = onDisk(block)

  /** From now on a task of the run reads the block, until [[unlock]]. */
  def lock(block: TraceBlock): Unit = locked += block

  def unlock(block: TraceBlock): Unit = locked -= block

  /** A computation that only the replay makes reads the block, until it calls [[endUse]] as often. */
  def use(block: TraceBlock): Unit = inUse.update(block, inUse.getOrElse(block, 0) + 1)

  def endUse(block: TraceBlock): Unit = {
    val left = inUse.getOrElse(block, 0) - 1
    if (left > 0) inUse.update(block, left) else inUse.remove(block)
  }

  def store(block: TraceBlock, size: Long): Unit = {
    inMemory.put(block, size)
    bytes += size
    policy.stored(block, size)
  }

  /** True if the block was written now: false if it was on disk. */
  def write(block: TraceBlock): Boolean = {
    val isNew = onDisk.add(block)
    if (isNew) policy.written(block)
    isNew
  }

  def forget(rdd: Int): Unit = {
    inMemory.keys.filter(_.rdd == rdd).toSeq.foreach(leave)
    onDisk.filter(_.rdd == rdd).foreach { block =>
      onDisk -= block
      policy.erased(block)
    }
    locked.filter(_.rdd == rdd).foreach(locked -= _)
  }

  /** Evicts blocks until those that stay take at most `most` bytes. For a newcomer, nothing is evicted unless that
    * is enough; and blocks of its own RDD stay.
    */
  def makeRoom(newcomer: Option[TraceBlock], most: Long): Made = {
    val missing = bytes - most
    if (missing <= 0) Made(isEnough = true, Nil)
    else if (newcomer.nonEmpty && (most < 0 || bytesBut(newcomer) < missing)) {
      Made(isEnough = false, Nil)
    } else {
      // As the executor does: first so much is made ready for an eviction, then what is ready is evicted.
      val ready = mutable.HashSet.empty[TraceBlock]
      ready ++= inMemory.keysIterator.filter(block => isAnother(block, newcomer) && isReady(block))
      val written = makeReady(newcomer, missing, ready)
      val victims = take(missing)(block => isAnother(block, newcomer) && ready(block))
      val isEnough = victims.map(inMemory).sum >= missing &&
        newcomer.forall(policy.isWorth(_, victims))
      if (isEnough) victims.foreach(evict)
      Made(isEnough, written)
    }
  }

  private def bytesBut(newcomer: Option[TraceBlock]): Long =
    inMemory.iterator.collect { case (block, size) if isAnother(block, newcomer) => size }.sum

  private def isAnother(block: TraceBlock, newcomer: Option[TraceBlock]): Boolean =
    !newcomer.exists(_.rdd == block.rdd)

  private def isReady(block: TraceBlock): Boolean =
    !maySpill || onDisk(block) || !policy.isWorthWriting(block)

  private def isFree(block: TraceBlock): Boolean = !locked(block) && !inUse.contains(block)

  /** Writes the next victims until ready blocks of so many bytes are there. Returns what is written. */
  private def makeReady(
      newcomer: Option[TraceBlock],
      missing: Long,
      ready: mutable.Set[TraceBlock]
  ): Seq[TraceBlock] = {
    val left = missing - ready.iterator.filter(isFree).map(inMemory).sum
    val next = take(left)(block => isAnother(block, newcomer) && !ready(block))
    ready ++= next
    next.filter(write)
  }

  /** The next wanted blocks to evict that nobody reads, until they have so many bytes. */
  private def take(bytes: Long)(isWanted: TraceBlock => Boolean): Seq[TraceBlock] = {
    val taken = mutable.ArrayBuffer.empty[TraceBlock]
    var left = bytes
    if (left > 0) policy.walk { block =>
      if (isWanted(block) && isFree(block)) {
        taken += block
        left -= inMemory(block)
      }
      left > 0
    }
    taken
  }

  private def evict(block: TraceBlock): Unit = {
    evicted += 1
    policy.evicted(block)
    leave(block)
  }

  private def leave(block: TraceBlock): Unit = inMemory.remove(block).foreach { size =>
    bytes -= size
    policy.left(block)
  }
}

private[sim] object Cache {

  /** What was done for room.
    *
    * @param isEnough whether there is as much room as was wanted
    * @param written the blocks that were written for it
    */
  final case class Made(isEnough: Boolean, written: Seq[TraceBlock])
}
