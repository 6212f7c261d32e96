package org.sparkhpc.retain

import scala.collection.mutable.ArrayBuffer

/** What a policy knows about one block. Times are nanoseconds. */
private[retain] final class Known[K](val block: K) {
  var inMemory = false
  var onDisk = false

  /** The bytes of memory that were charged when the block was last stored. */
  var bytes = 0L

  /** The block's number in the order of first computations; 0 if it never was computed. A block that it reads has
    * a lower number.
    */
  var order = 0L

  /** The time that computing it took, without the blocks that it reads. */
  var own = 0.0

  /** The time to compute it again with every other block in its present place. */
  var again = 0.0

  /** The time to compute it if no block were in memory or on disk. */
  var atWorst = 0.0

  /** The blocks that it was computed from, and the number of paths to each. */
  var reads: Array[Known[K]] = Known.none
  var paths: Array[Double] = Array.emptyDoubleArray

  /** The blocks that were computed from it; null if there are none, as for most blocks. */
  var readers: ArrayBuffer[Known[K]] = _

  /** Hashes of its lineage, one to three steps back; 0 if it was never computed. */
  val shapes = new Array[Int](Known.Depth)

  /** How often tasks requested it. */
  var requests = 0

  /** Whether it is being computed only to recover another block. */
  var isRecovery = false

  /** When it was requested last, as a number of requests of all blocks. */
  var last = 0L

  /** When it is expected to be requested next; NaN if that is unknown. */
  var next = Double.NaN

  /** Whether it was expected to be unpersisted before another request. */
  var isDead = false

  /** When it was last used in memory, as a number of uses of all blocks. */
  var touched = 0L

  def isAvailable: Boolean = inMemory || onDisk

  def foreachReader(f: Known[K] => Unit): Unit = if (readers != null) readers.foreach(f)

  def addReader(reader: Known[K]): Unit = {
    if (readers == null) readers = new ArrayBuffer[Known[K]](2)
    readers += reader
  }

  def removeReader(reader: Known[K]): Unit = if (readers != null) {
    readers -= reader
    if (readers.isEmpty) readers = null
  }
}

private object Known {
  val Depth = 3

  private val nothing = new Array[Known[Nothing]](0)

  def none[K]: Array[Known[K]] = nothing.asInstanceOf[Array[Known[K]]]
}
