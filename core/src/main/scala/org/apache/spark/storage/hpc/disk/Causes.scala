package org.apache.spark.storage.hpc.disk

import java.io.InterruptedIOException
import java.nio.channels.ClosedByInterruptException

/** Finds the causes of a failure. */
private[storage] object Causes {

  /** The failure and its causes, at most 20: some libraries create cycles of causes. */
  def of(failure: Throwable): Iterator[Throwable] =
    Iterator.iterate(failure)(_.getCause).takeWhile(_ != null).take(20)

  /** Whether this thread was interrupted, which means that its task is being killed. The interrupt status stays set. */
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
