package org.apache.spark.storage.hpc.cache

import java.util.concurrent.atomic.AtomicBoolean

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.storage.{BlockId, BlockStatus}
import org.apache.spark.storage.memory.hpc.SpillableLevel

/** Reports the status of this process's blocks to the driver. */
private[storage] final class BlockReports(context: CacheContext) extends Logging {
  private val late = new LateReports
  private val isRegistering = new AtomicBoolean

  /** Sends a report of the block, and waits for the driver's answer. If the caller holds the memory manager's monitor,
    * another thread sends the report later.
    */
  def report(blockId: BlockId)(send: => Unit): Unit =
    if (context.isSpilling && context.inMemory.isMonitorHeld) {
      late.later(blockId)(send)
    } else {
      late.await(blockId)
      send
    }

  /** Asks the driver where a block is, after a pending report of the block was sent. Does not ask if the block was put
    * here meanwhile: this process would fetch it from itself.
    */
  def askFor[T](blockId: BlockId)(ask: => Option[T]): Option[T] = {
    late.await(blockId)
    if (context.isSpilling && blockId.isRDD && context.infoOf(blockId).nonEmpty) None else ask
  }

  /** The status with a level that no longer changes, so that others may keep it. */
  def plain(status: BlockStatus): BlockStatus = status.storageLevel match {
    case level: SpillableLevel => status.copy(storageLevel = level.plain)
    case _ => status
  }

  /** Reregisters in a separate thread. Spark calls this in the heartbeat thread, and locks the state of each block: a
    * task that reads a block from a hanging disk holds that lock.
    */
  def reregister(sparks: => Unit): Unit =
    if (!context.isSpilling) {
      sparks
    } else if (isRegistering.compareAndSet(false, true)) {
      val thread = new Thread(
        () =>
          try sparks
          catch {
            case NonFatal(failure) =>
              logWarning("Cannot report all blocks to the driver", failure)
          } finally isRegistering.set(false),
        "spark-hpc-reregister"
      )
      thread.setDaemon(true)
      thread.start()
    }

  def stop(): Unit = late.stop()
}
