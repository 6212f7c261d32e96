package org.sparkhpc.retain.trace

import org.sparkhpc.retain.{BlockNames, RetentionPolicy, SoFar}

/** A policy that records the events that are reported to it, and leaves all decisions to `policy`. */
final class Traced[K](policy: RetentionPolicy[K], names: BlockNames[K], trace: TraceRecorder)
    extends RetentionPolicy[K] {
  import TraceEvent._
  import trace.record

  override def isObserver: Boolean = true

  override def wantsCost(block: K): Boolean = true

  override def wantsReferences: Boolean = true

  override def requested(block: K, reader: Option[K]): Unit = {
    inTrace(block).map(Requested(_, reader.flatMap(inTrace(_)))).foreach(record)
    policy.requested(block, reader)
  }

  override def computed(block: K, nanos: Long, reads: Seq[K]): Unit = {
    inTrace(block).map(Computed(_, nanos, reads.flatMap(inTrace(_)))).foreach(record)
    policy.computed(block, nanos, reads)
  }

  override def stored(block: K, bytes: Long): Unit = {
    inTrace(block).map(Stored(_, bytes)).foreach(record)
    policy.stored(block, bytes)
  }

  override def forgotten(rdd: Int): Unit = {
    record(Forgotten(rdd))
    policy.forgotten(rdd)
  }

  override def referenced(pending: Map[Int, Int]): Unit = {
    record(Referenced(pending))
    policy.referenced(pending)
  }

  override def used(block: K): Unit = policy.used(block)

  override def evicted(block: K): Unit = {
    inTrace(block).map(Evicted).foreach(record)
    policy.evicted(block)
  }

  override def left(block: K): Unit = policy.left(block)

  override def end(): Unit = {
    policy.end()
    trace.end()
  }

  override def written(block: K): Unit = {
    inTrace(block).map(Written).foreach(record)
    policy.written(block)
  }

  override def erased(block: K): Unit = policy.erased(block)

  override def walk(more: K => Boolean): Unit = policy.walk(more)

  /** The cache asks for each block that a task reads from disk. */
  override def isWorthReading(block: K): Boolean = {
    inTrace(block).map(ReadBack).foreach(record)
    policy.isWorthReading(block)
  }

  override def isWorth(newcomer: K, victims: Iterable[K]): Boolean =
    policy.isWorth(newcomer, victims)

  override def isWorthWriting(block: K): Boolean = policy.isWorthWriting(block)

  override def isWorthWriting(block: K, soFar: SoFar[K]): Boolean =
    policy.isWorthWriting(block, soFar)

  private def inTrace(block: K): Option[TraceBlock] =
    Some(names.rdd(block)).filter(_ >= 0).map(TraceBlock(_, names.partition(block)))
}
