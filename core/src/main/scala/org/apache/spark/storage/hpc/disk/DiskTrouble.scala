package org.apache.spark.storage.hpc.disk

import java.io.IOException

import scala.util.control.NoStackTrace

/** Marks a failure, as one of its suppressed exceptions, as the disk's and not the elements'. */
private[storage] object DiskTrouble extends IOException("the disk refused") with NoStackTrace {

  def mark(failure: Throwable): Unit = if (!isIn(failure)) failure.addSuppressed(this)

  /** Whether the disk is the cause of a failure, however a serializer wrapped it. */
  def isIn(failure: Throwable): Boolean = Causes.of(failure).exists(_.getSuppressed.contains(this))
}
