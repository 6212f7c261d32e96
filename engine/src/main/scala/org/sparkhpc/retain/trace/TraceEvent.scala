package org.sparkhpc.retain.trace

/** A block in a trace: a partition of an RDD. */
final case class TraceBlock(rdd: Int, partition: Int)

/** What a cache's policy was told, as far as it doesn't depend on what the cache did about it. */
sealed trait TraceEvent

object TraceEvent {

  /** A task asked for the block, and not in order to compute another one. */
  final case class Requested(block: TraceBlock) extends TraceEvent

  /** The block was computed, for so long without the others that it reads. */
  final case class Computed(block: TraceBlock, nanos: Long, reads: Seq[TraceBlock])
      extends TraceEvent

  /** The block takes so many bytes in memory. */
  final case class Stored(block: TraceBlock, bytes: Long) extends TraceEvent

  /** The RDD isn't persisted any more. */
  final case class Forgotten(rdd: Int) extends TraceEvent

  /** What running jobs will still read: by RDD, how many computations of others read it. */
  final case class Referenced(pending: Map[Int, Int]) extends TraceEvent
}
