package org.apache.spark.storage.hpc.cache

import java.util.concurrent.atomic.AtomicBoolean

import scala.util.control.NonFatal

import org.apache.spark.internal.config.Hpc
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.sparkhpc.tier.DiskRequests

/** Keeps jobs that never asked for a disk going while the disk hangs that cached blocks are spilled to.
  *
  *  1. Nothing is spilled then: blocks are dropped, as in stock Spark.
  *  1. Neither heartbeats nor what the driver asks for wait for the disk.
  *  1. One warning says so, and one line when it is over.
  */
private[spark] trait StallsSurvived extends RoomBeforehand {
  private val isRegistering = new AtomicBoolean

  /** To be called before anything is spilled. */
  protected def mindStalls(): Unit = {
    val isTiered = HpcDiskBlockManager.of(diskBlockManager).exists(_.tiers.nonEmpty)
    store.mayHang = place.mayHang || isTiered
    store.mayWait = () => !Thread.holdsLock(memory) && !store.isStalled
    store.isUnasked = levelOf(_).nonEmpty
    store.tellStalls(() => stalled(), () => answered())
  }

  private def stalled(): Unit = if (isSpilling) {
    logWarning(
      s"Cached blocks are dropped from memory, not spilled, since ${place.describe} hasn't answered a " +
        s"request for ${DiskRequests.StallSeconds} s. As in stock Spark they are computed again when " +
        "they are asked for; what was spilled before is read as soon as it can be. Spilling goes on " +
        "when there is an answer: look at the disk or the file system's servers (dmesg, iostat -x), or " +
        s"name another place by spark.local.dir or ${Hpc.SCRATCH.key}."
    )
  }

  private def answered(): Unit = if (isSpilling) {
    logInfo(s"${place.describe} answers again: cached blocks are spilled")
    hpcMemory.recheckReady()
    ahead.wake()
  }

  /** Not in the thread of heartbeats, which Spark calls it in: it asks for the state of each block, which a
    * task holds that reads one from a disk that hangs.
    */
  override def reregister(): Unit =
    if (!isSpilling) {
      super.reregister()
    } else if (isRegistering.compareAndSet(false, true)) {
      val thread = new Thread(
        () =>
          try super.reregister()
          catch {
            case NonFatal(failure) =>
              logWarning("The driver couldn't be told of all blocks", failure)
          } finally isRegistering.set(false),
        "spark-hpc-reregister"
      )
      thread.setDaemon(true)
      thread.start()
    }

  override def stop(): Unit = {
    store.disk.stop()
    super.stop()
  }
}
