package org.sparkhpc.retain

/** Decides in which order blocks leave memory, from the events that are reported to it.
  *
  * An instance serves one executor and is thread-safe. The caller holds locks while it reports events, so a
  * policy never blocks, and calls back only where its methods say so.
  *
  * @tparam K a block's identity
  */
trait RetentionPolicy[K] {

  /** Whether the policy needs [[requested]] and [[computed]], which cost something to observe. */
  def isObserver: Boolean

  /** Whether the policy needs the cost of computing this block; asked only if [[isObserver]]. */
  def wantsCost(block: K): Boolean

  /** Whether the policy needs [[referenced]], for which the driver has to be asked. */
  def wantsReferences: Boolean

  /** A task requests the block, wherever it is.
    *
    * @param reader the block for whose computation it is requested, if any
    */
  def requested(block: K, reader: Option[K]): Unit

  /** The block was computed.
    *
    * @param nanos the time that this took, without that of the blocks that it reads
    * @param reads the cached blocks that it was computed from, each as often as it was read
    */
  def computed(block: K, nanos: Long, reads: Seq[K]): Unit

  /** The block was stored in memory, and `bytes` were charged for it. */
  def stored(block: K, bytes: Long): Unit

  /** The block was read from memory. */
  def used(block: K): Unit

  /** The block was chosen by [[walk]] and is about to leave memory. */
  def evicted(block: K): Unit

  /** The block isn't in memory any more. */
  def left(block: K): Unit

  /** The executor ends, and nothing is in memory any more. */
  def end(): Unit

  /** There is a copy of the block on disk now. */
  def written(block: K): Unit

  /** There is no copy of the block on disk any more. */
  def erased(block: K): Unit

  /** The RDD isn't persisted any more, and none of its blocks exists any more. */
  def forgotten(rdd: Int): Unit

  /** The driver reports what its running jobs will still read.
    *
    * @param pending for each persisted RDD, how many computations of other RDDs read it; a missing RDD counts as
    *   0
    */
  def referenced(pending: Map[Int, Int]): Unit

  /** Passes the blocks in memory to `more`, the one of least worth first, until it returns false. */
  def walk(more: K => Boolean): Unit

  /** Whether a block that was read from disk should be stored in memory again. */
  def isWorthReading(block: K): Boolean

  /** Whether a block should get memory for which the victims would be evicted. */
  def isWorth(newcomer: K, victims: Iterable[K]): Boolean

  /** Whether the block should be written to disk when it leaves memory. */
  def isWorthWriting(block: K): Boolean

  /** Whether a block that is being computed, and doesn't fit in memory, should be written to disk. */
  def isWorthWriting(block: K, soFar: SoFar[K]): Boolean
}
