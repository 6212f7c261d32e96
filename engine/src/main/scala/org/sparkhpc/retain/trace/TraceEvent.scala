package org.sparkhpc.retain.trace

/** A block in a trace: a partition of an RDD. */
final case class TraceBlock(rdd: Int, partition: Int)

/** An event that was reported to a cache's policy. The last three say what the traced cache decided, so that
  * a replay, which decides anew, can be compared with it.
  */
sealed trait TraceEvent

object TraceEvent {

  /** A task requested the block, and not in order to compute another one. */
  final case class Requested(block: TraceBlock) extends TraceEvent

  /** The block was computed in `nanos`, without the time of the blocks that it reads. */
  final case class Computed(block: TraceBlock, nanos: Long, reads: Seq[TraceBlock])
      extends TraceEvent

  /** The block was stored in memory, where it takes `bytes`. */
  final case class Stored(block: TraceBlock, bytes: Long) extends TraceEvent

  /** The RDD isn't persisted any more. */
  final case class Forgotten(rdd: Int) extends TraceEvent

  /** What running jobs will still read: for each RDD, how many computations of other RDDs read it. */
  final case class Referenced(pending: Map[Int, Int]) extends TraceEvent

  /** The block left memory so that another one or a task could have it. */
  final case class Evicted(block: TraceBlock) extends TraceEvent

  /** The block was written to disk. */
  final case class Written(block: TraceBlock) extends TraceEvent

  /** A task read the block from disk. */
  final case class ReadBack(block: TraceBlock) extends TraceEvent
}
