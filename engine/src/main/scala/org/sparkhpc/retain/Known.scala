package org.sparkhpc.retain

import scala.collection.mutable.ArrayBuffer

/** What is known of one block; times are nanoseconds. */
private[retain] final class Known[K](val block: K) {
  var inMemory = false
  var onDisk = false

  /** What memory was charged when it was stored last. */
  var bytes = 0L

  /** When it was computed first, as a number; 0 if it never was. What it reads was before it. */
  var order = 0L

  /** What computing it took, without what it reads. */
  var own = 0.0

  /** What computing it would take with everything in its present place. */
  var again = 0.0

  /** What computing it would take if nothing were in memory or on disk. */
  var atWorst = 0.0

  /** The blocks it was computed from, and along how many paths each. */
  var reads: Array[Known[K]] = Known.none
  var paths: Array[Double] = Array.emptyDoubleArray

  /** The blocks that were computed from it; null for none, since most have none. */
  var readers: ArrayBuffer[Known[K]] = _

  /** What its lineage looks like, one to three steps back; 0 if it was never computed. */
  val shapes = new Array[Int](Known.Depth)

  /** How often a task asked for it. */
  var requests = 0

  /** Whether it is being computed only to get another block back. */
  var isRecovery = false

  // Its place in the order of CostAware.
  var floor = 0.0
  var rank = 0.0
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
