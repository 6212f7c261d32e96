package org.apache.spark.storage.hpc.disk

import java.io.IOException

import org.sparkhpc.tier.DiskRequests

/** A write was given up, or not begun, since the disk hangs. */
private[storage] final class DiskHangs extends IOException(DiskHangs.Message)

private[storage] object DiskHangs {
  private val Message = s"the disk hasn't answered a request for ${DiskRequests.StallSeconds} s"

  /** Whether that is the cause of a failure, however a serializer wrapped it. */
  def isIn(failure: Throwable): Boolean = Causes.of(failure).exists(_.isInstanceOf[DiskHangs])
}
