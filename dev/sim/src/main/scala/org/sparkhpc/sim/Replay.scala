package org.sparkhpc.sim

import scala.collection.mutable

import org.sparkhpc.retain.{BlockNames, RetentionPolicy}
import org.sparkhpc.retain.trace.{TraceBlock, TraceEvent}
import org.sparkhpc.retain.trace.TraceEvent._

/** Replays a trace on a cache of another size with another policy.
  *
  * The cache does as an executor of ours does: what needs no writing leaves first, a block that leaves memory is
  * written if it may be and is worth it, one that doesn't fit is written at once, and one that is read back
  * returns to memory if it is worth that. A block that a task reads stays, and so does room for what tasks need.
  * What isn't persisted any more is computed again for each of its readers.
  */
final class Replay(
    trace: Trace,
    policy: RetentionPolicy[TraceBlock],
    memoryBytes: Long,
    maySpill: Boolean,
    disk: Disk
) {
  import Replay._
  import disk.speed

  private val cache = new Cache(policy, maySpill)
  private val computed = mutable.HashSet.empty[TraceBlock]
  private val forgotten = mutable.HashSet.empty[Int]

  // Blocks that are being computed for the first time, and whether there is room for them.
  private val begun = mutable.HashMap.empty[TraceBlock, Boolean]

  // What tasks and blocks that are being stored need, as the run's last such event has it.
  private var needed = 0L
  private var costs = Costs()

  def run(onEvent: Int => Unit = _ => ()): Costs = {
    for ((event, index) <- trace.events.zipWithIndex if !costs.isCutShort) {
      onEvent(index)
      disk.replay(event)
      replay(event)
    }
    costs.copy(evictions = cache.evictions)
  }

  private def room: Long = math.max(0L, memoryBytes - needed)

  private def replay(event: TraceEvent): Unit = event match {
    case Requested(block, reader) => requested(block, reader)
    case Released(block) => cache.unlock(block)
    case Needed(newcomer, _, bytes) => need(newcomer, bytes)
    case Stored(block, _) => if (begun.contains(block)) finish(block)
    case Computed(block, nanos, reads) =>
      if (begun.contains(block)) finish(block)
      if (computed.add(block)) policy.computed(block, nanos, reads)
    case Referenced(pending) => policy.referenced(pending)
    case Forgotten(rdd) =>
      cache.forget(rdd)
      policy.forgotten(rdd)
      forgotten += rdd
    case _ => // what the run's own cache did
  }

  private def requested(block: TraceBlock, reader: Option[TraceBlock]): Unit =
    if (trace.blocks.contains(block) && !forgotten(block.rdd)) {
      request(block, reader)
      cache.lock(block)
    }

  private def need(newcomer: Option[TraceBlock], bytes: Long): Unit = {
    needed = bytes
    newcomer match {
      // What the run read back or computed again may be in memory here.
      case Some(block) =>
        begun.get(block).foreach(fits => begun.update(block, fits && makeRoom(block, 0)))
      case None => written(cache.makeRoom(None, room))
    }
  }

  private def request(block: TraceBlock, reader: Option[TraceBlock]): Unit = {
    policy.requested(block, reader)
    if (cache.holds(block)) {
      policy.used(block)
    } else if (cache.hasOnDisk(block)) {
      readBack(block)
    } else if (!computed(block)) {
      begun.getOrElseUpdate(block, true): Unit
    } else {
      compute(block)
      storeOrWrite(block, isRoom = true)
      policy.computed(block, trace.blocks(block).nanos, trace.blocks(block).reads)
    }
  }

  /** The first computation of a block ends. */
  private def finish(block: TraceBlock): Unit = storeOrWrite(block, begun.remove(block).get)

  private def storeOrWrite(block: TraceBlock, isRoom: Boolean): Unit =
    if (isRoom && makeRoom(block, trace.blocks(block).bytes)) store(block)
    else if (maySpill) {
      if (cache.write(block)) written(block)
      // Spark reads for the task what it has written.
      readBack(block)
    }

  private def readBack(block: TraceBlock): Unit = {
    val facts = trace.blocks(block)
    costs = costs.copy(
      bytesRead = costs.bytesRead + facts.bytes,
      diskNanos = costs.diskNanos + speed.nanosToRead(facts.bytes, block.rdd)
    )
    // While a block is read, it may need more memory than it takes afterwards.
    if (policy.isWorthReading(block) && makeRoom(block, facts.most)) store(block)
  }

  private def compute(block: TraceBlock): Unit = {
    val facts = trace.blocks(block)
    costs = costs.copy(
      computedAgain = costs.computedAgain + 1,
      computingNanos = costs.computingNanos + facts.nanos,
      isCutShort = costs.computedAgain >= MaxSteps
    )
    val reads = facts.reads.filter(trace.blocks.contains)
    reads.foreach { read =>
      if (costs.isCutShort) () // the rest isn't replayed
      else if (forgotten(read.rdd)) compute(read)
      else request(read, Some(block))
      cache.use(read)
    }
    reads.foreach(cache.endUse)
  }

  private def makeRoom(newcomer: TraceBlock, bytes: Long): Boolean = {
    val made = cache.makeRoom(Some(newcomer), room - bytes)
    written(made)
    made.isEnough
  }

  private def store(block: TraceBlock): Unit = cache.store(block, trace.blocks(block).bytes)

  private def written(made: Cache.Made): Unit = made.written.foreach(written)

  private def written(block: TraceBlock): Unit = {
    val bytes = trace.blocks(block).bytes
    costs = costs.copy(
      bytesWritten = costs.bytesWritten + bytes,
      diskNanos = costs.diskNanos + speed.nanosToWrite(bytes, block.rdd)
    )
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
