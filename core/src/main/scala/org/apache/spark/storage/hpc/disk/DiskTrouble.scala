package org.apache.spark.storage.hpc.disk

import java.io.IOException

import scala.util.control.NoStackTrace

/** Added to the suppressed exceptions of a failure that the disk caused, and not the block's elements. */
private[storage] object DiskTrouble extends IOException("the disk refused") with NoStackTrace {

  def mark(failure: Throwable): Unit = if (!isIn(failure)) failure.addSuppressed(this)

  /** Whether the disk is the cause of a failure, even if a serializer wrapped it. */
  def isIn(failure: Throwable): Boolean = Causes.of(failure).exists(_.getSuppressed.contains(this))
}
