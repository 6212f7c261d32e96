package org.apache.spark.storage.hpc.disk

import java.io.IOException

import org.sparkhpc.tier.DiskRequests

/** Thrown when a write was abandoned, or not started, because the disk hangs. */
private[storage] final class DiskHangs extends IOException(DiskHangs.Message)

private[storage] object DiskHangs {
  private val Message = s"the disk hasn't answered a request for ${DiskRequests.StallSeconds} s"

  /** Whether this is the cause of a failure, even if a serializer wrapped it. */
  def isIn(failure: Throwable): Boolean = Causes.of(failure).exists(_.isInstanceOf[DiskHangs])
}
