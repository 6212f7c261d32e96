package org.apache.spark.storage.memory.hpc

import org.apache.spark.memory.{MemoryManager, MemoryMode}
import org.apache.spark.storage.{BlockId, RDDBlockId}
import org.sparkhpc.retain.trace.{TraceBlock, TraceRecorder}
import org.sparkhpc.retain.trace.TraceEvent.{Memory, Needed, Released}

/** Records what a replay of a trace needs and policies are not told: how much memory is there, how much of it is needed
  * for anything but cached blocks, and which blocks tasks are reading.
  */
private[storage] final class MemoryTrace(memory: MemoryManager, trace: TraceRecorder) {

  def begin(): Unit = trace.record(Memory(total(MemoryMode.ON_HEAP)))

  /** A block or, if there is none, a task asks for memory.
    *
    * @param asked the bytes that it asks for; 0 if some became free
    * @param stored the bytes of cached blocks for which there is room besides
    */
  def needed(newcomer: Option[BlockId], asked: Long, stored: Long, mode: MemoryMode): Unit =
    trace.record(Needed(newcomer.flatMap(inTrace), asked, total(mode) - stored))

  /** No task reads the block any more. */
  def released(block: RDDBlockId): Unit = inTrace(block).foreach(its => trace.record(Released(its)))

  // Tasks' execution memory is not part of the maximum of storage memory.
  private def total(mode: MemoryMode): Long = mode match {
    case MemoryMode.ON_HEAP => memory.maxOnHeapStorageMemory + memory.onHeapExecutionMemoryUsed
    case MemoryMode.OFF_HEAP => memory.maxOffHeapStorageMemory + memory.offHeapExecutionMemoryUsed
  }

  private def inTrace(block: BlockId): Option[TraceBlock] =
    block.asRDDId.map(id => TraceBlock(id.rddId, id.splitIndex))
}
