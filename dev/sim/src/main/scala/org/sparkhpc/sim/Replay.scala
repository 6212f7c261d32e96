package org.sparkhpc.sim

import scala.collection.mutable

import org.sparkhpc.retain.{BlockNames, DiskSpeed, RetentionPolicy}
import org.sparkhpc.retain.trace.{TraceBlock, TraceEvent}
import org.sparkhpc.retain.trace.TraceEvent._

/** Replays a trace on a cache of another size with another policy, one request at a time.
  *
  * The cache does as an executor of ours does: what needs no writing leaves first, a block that leaves memory is written if it may be and
  * is worth it, one that doesn't fit is written at once, and one that is read back returns to memory
  * if it is worth that. What isn't persisted any more is computed again for each of its readers.
  */
final class Replay(
    trace: Trace,
    policy: RetentionPolicy[TraceBlock],
    memoryBytes: Long,
    maySpill: Boolean,
    speed: DiskSpeed
) {
  import Replay._

  private val inMemory = mutable.HashMap.empty[TraceBlock, Long]
  private val onDisk = mutable.HashSet.empty[TraceBlock]
  private val computed = mutable.HashSet.empty[TraceBlock]
  private val forgotten = mutable.HashSet.empty[Int]
  private val inUse = mutable.HashMap.empty[TraceBlock, Int]
  private var used = 0L
  private var steps = 0L
  private var costs = Costs()

  def run(onEvent: Int => Unit = _ => ()): Costs = {
    for ((event, index) <- trace.events.zipWithIndex if !costs.isCutShort) {
      onEvent(index)
      replay(event)
    }
    costs
  }

  private def replay(event: TraceEvent): Unit = event match {
    case Requested(block) if trace.blocks.contains(block) && !forgotten(block.rdd) =>
      request(block, reader = None)
    case Referenced(pending) => policy.referenced(pending)
    case Forgotten(rdd) =>
      inMemory.keys.filter(_.rdd == rdd).toSeq.foreach(leave)
      onDisk.filter(_.rdd == rdd).foreach { block =>
        onDisk -= block
        policy.erased(block)
      }
      policy.forgotten(rdd)
      forgotten += rdd
    case _ => // a replay makes these itself, or the block isn't this executor's
  }

  private def request(block: TraceBlock, reader: Option[TraceBlock]): Unit = {
    policy.requested(block, reader)
    if (inMemory.contains(block)) {
      policy.used(block)
    } else if (onDisk(block)) {
      val bytes = trace.blocks(block).bytes
      costs = costs.copy(
        bytesRead = costs.bytesRead + bytes,
        diskNanos = costs.diskNanos + speed.nanosToRead(bytes)
      )
      if (policy.isWorthReading(block, memoryBytes - used)) store(block)
    } else {
      compute(block)
      store(block)
      policy.computed(block, trace.blocks(block).nanos, trace.blocks(block).reads)
    }
  }

  private def compute(block: TraceBlock): Unit = {
    val facts = trace.blocks(block)
    steps += 1
    if (!computed.add(block)) {
      costs = costs.copy(
        computedAgain = costs.computedAgain + 1,
        computingNanos = costs.computingNanos + facts.nanos
      )
    }
    if (steps > MaxSteps) costs = costs.copy(isCutShort = true)
    val reads = facts.reads.filter(trace.blocks.contains)
    reads.foreach { read =>
      if (costs.isCutShort) () // the rest isn't replayed
      else if (forgotten(read.rdd)) compute(read)
      else request(read, Some(block))
      inUse.update(read, inUse.getOrElse(read, 0) + 1)
    }
    reads.foreach { read =>
      val left = inUse.getOrElse(read, 0) - 1
      if (left > 0) inUse.update(read, left) else inUse.remove(read)
    }
  }

  private def store(block: TraceBlock): Unit = {
    val bytes = trace.blocks(block).bytes
    if (makeRoom(block, bytes)) {
      inMemory.put(block, bytes)
      used += bytes
      policy.stored(block, bytes)
    } else {
      write(block)
    }
  }

  private def makeRoom(newcomer: TraceBlock, bytes: Long): Boolean = bytes <= memoryBytes && {
    val victims = mutable.ArrayBuffer.empty[TraceBlock]
    var free = memoryBytes - used
    def select(isWanted: TraceBlock => Boolean): Unit = if (free < bytes) {
      val selected = victims.toSet
      policy.walk { block =>
        if (
          block.rdd != newcomer.rdd && !inUse.contains(block) && isWanted(block) && !selected(block)
        ) {
          victims += block
          free += inMemory(block)
        }
        free < bytes
      }
    }
    if (maySpill) select(block => onDisk(block) || !policy.isWorthWriting(block))
    select(_ => true)
    free >= bytes && (victims.isEmpty || policy.isWorth(newcomer, victims)) && {
      victims.foreach(evict)
      true
    }
  }

  private def evict(block: TraceBlock): Unit = {
    costs = costs.copy(evictions = costs.evictions + 1)
    policy.evicted(block)
    if (policy.isWorthWriting(block)) write(block)
    leave(block)
  }

  private def write(block: TraceBlock): Unit = if (maySpill && onDisk.add(block)) {
    val bytes = trace.blocks(block).bytes
    costs = costs.copy(
      bytesWritten = costs.bytesWritten + bytes,
      diskNanos = costs.diskNanos + speed.nanosToWrite(bytes)
    )
    policy.written(block)
  }

  private def leave(block: TraceBlock): Unit = inMemory.remove(block).foreach { bytes =>
    used -= bytes
    policy.left(block)
  }
}

object Replay {

  /** A block's RDD and partition, as in the trace. */
  object Names extends BlockNames[TraceBlock] {
    override def rdd(block: TraceBlock): Int = block.rdd

    override def partition(block: TraceBlock): Int = block.partition
  }

  // Dropping doubles the work with each generation: somewhere it has to end.
  private val MaxSteps = 1000000L
}
