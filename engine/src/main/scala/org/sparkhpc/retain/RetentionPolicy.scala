package org.sparkhpc.retain

/** The order in which blocks leave memory, made from what happened to them.
  *
  * An instance serves one executor and is thread-safe. It is told of events under the locks of its
  * caller, so it waits for nobody and calls back only where it says so.
  *
  * @tparam K a block's identity
  */
trait RetentionPolicy[K] {

  /** Whether the policy needs [[requested]] and [[computed]]; they cost something to observe. */
  def isObserver: Boolean

  /** Whether the policy needs to know what computing this block takes; with [[isObserver]] only. */
  def wantsCost(block: K): Boolean

  /** Whether the policy needs [[referenced]]; the driver has to be asked for it. */
  def wantsReferences: Boolean

  /** A task asks for the block, wherever it is.
    *
    * @param reader the block that is computed from it, if it is asked for that
    */
  def requested(block: K, reader: Option[K]): Unit

  /** The block was computed.
    *
    * @param nanos the time that took, without that of the blocks it reads
    * @param reads the cached blocks it was computed from, each as often as it was read
    */
  def computed(block: K, nanos: Long, reads: Seq[K]): Unit

  /** The block is in memory now, with so many bytes charged. */
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

  /** The RDD isn't persisted any more, and none of its blocks are anywhere. */
  def forgotten(rdd: Int): Unit

  /** What the driver's running jobs will still read.
    *
    * @param pending for each persisted RDD, how many computations of others read it; 0 if it isn't there
    */
  def referenced(pending: Map[Int, Int]): Unit

  /** Shows the blocks in memory, the one that is worth least first, for as long as `more` says so. */
  def walk(more: K => Boolean): Unit

  /** Whether a block that was read from disk should be stored in memory again.
    *
    * @param room the bytes there that are free
    */
  def isWorthReading(block: K, room: Long): Boolean

  /** Whether a block should get memory that these others have to leave for it. */
  def isWorth(newcomer: K, victims: Iterable[K]): Boolean

  /** Whether the block should be written to disk when it leaves memory. */
  def isWorthWriting(block: K): Boolean

  /** Whether a block that is being computed, and doesn't fit in memory, should be written to disk. */
  def isWorthWriting(block: K, soFar: SoFar[K]): Boolean
}
