package org.sparkhpc.retain.trace

/** A block in a trace: a partition of an RDD. */
final case class TraceBlock(rdd: Int, partition: Int)

/** An event that was reported to a cache's policy. The last three say what the traced cache decided, so that
  * a replay, which decides anew, can be compared with it.
  */
sealed trait TraceEvent

object TraceEvent {

  /** A task requested the block, which is locked from now on.
    *
    * @param reader the block for whose computation it is requested, if any
    */
  final case class Requested(block: TraceBlock, reader: Option[TraceBlock] = None)
      extends TraceEvent

  /** No task reads the block any more, so that it may be evicted. */
  final case class Released(block: TraceBlock) extends TraceEvent

  /** The block was computed in `nanos`, without the time of the blocks that it reads. */
  final case class Computed(block: TraceBlock, nanos: Long, reads: Seq[TraceBlock])
      extends TraceEvent

  /** The block was stored in memory, where it takes `bytes`. */
  final case class Stored(block: TraceBlock, bytes: Long) extends TraceEvent

  /** There are `bytes` of memory for cached blocks while tasks need none. */
  final case class Memory(bytes: Long) extends TraceEvent

  /** A block, or a task if there is none, asks for `asked` bytes of memory; 0 if some became free. With these,
    * tasks and blocks that are being stored have `bytes` that other blocks can't have.
    */
  final case class Needed(newcomer: Option[TraceBlock], asked: Long, bytes: Long)
      extends TraceEvent

  /** Writing a block of the RDD, or reading it, took so long. */
  final case class Wrote(rdd: Int, bytes: Long, nanos: Long) extends TraceEvent
  final case class Read(rdd: Int, bytes: Long, nanos: Long) extends TraceEvent

  /** Serializing some elements of the RDD, and reading them again, took so long without a disk. */
  final case class Sampled(rdd: Int, bytes: Long, nanosToWrite: Long, nanosToRead: Long)
      extends TraceEvent

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
