package org.apache.spark.storage.hpc.disk

import java.io.InterruptedIOException
import java.nio.channels.ClosedByInterruptException

/** What stands behind a failure. */
private[storage] object Causes {

  /** The failure and its causes; some libraries make rings of them. */
  def of(failure: Throwable): Iterator[Throwable] =
    Iterator.iterate(failure)(_.getCause).takeWhile(_ != null).take(20)

  /** Whether this thread was interrupted: its task is being killed. The interrupt stays set. */
  def isInterrupt(failure: Throwable): Boolean = {
    val caught = of(failure).exists {
      case _: InterruptedException | _: InterruptedIOException => true
      case _: ClosedByInterruptException => true
      case _ => false
    }
    if (caught) Thread.currentThread().interrupt()
    Thread.currentThread().isInterrupted
  }
}
