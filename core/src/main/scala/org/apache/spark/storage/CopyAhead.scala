package org.apache.spark.storage

import java.nio.channels.Channels
import java.util.concurrent.{RejectedExecutionException, TimeUnit}
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger}

import scala.reflect.ClassTag

import org.apache.spark.internal.Logging
import org.apache.spark.memory.{MemoryManager, MemoryMode}
import org.apache.spark.storage.memory.{HpcMemoryStore, Resident}
import org.apache.spark.util.ThreadUtils
import org.apache.spark.util.io.ChunkedByteBuffer

/** Writes the next victims to disk before memory is short, in a thread of its own.
  *
  * Evictions happen under the memory manager's monitor, where a slow write would hold up heartbeats,
  * the scheduler and other jobs; with a copy on disk an eviction only drops. A block is copied under
  * its read lock, so it can be read meanwhile, but neither evicted nor removed.
  *
  * @param share of the memory that is to be free at once, see `spark.hpc.retention.copyAhead`; 0 for
  *   no copies
  */
private[storage] final class CopyAhead(manager: CacheSpilling, memory: MemoryManager, share: Double)
    extends Logging {
  import CopyAhead._

  private val thread = ThreadUtils.newDaemonSingleThreadExecutor("spark-hpc-copy-ahead")
  private val isQueued = new AtomicBoolean
  private val doublings = new AtomicInteger

  // When the disk was asked for what is under way, or 0.
  @volatile private var busySince = 0L

  def isOn: Boolean = share > 0

  /** Whether the disk has kept a write waiting for so long that nobody else should try. */
  def isStalled: Boolean = {
    val since = busySince
    since != 0 && System.nanoTime() - since > StallNanos
  }

  /** An eviction needed more than was ready; `losing`: it loses what could have been written. */
  def fellBehind(losing: Boolean): Unit =
    if (isOn) {
      manager.spillCounts.fellBehind.inc()
      if (losing && ready < MaxShare) doublings.incrementAndGet(): Unit
    }

  /** Looks soon whether there is something to copy. */
  def wake(): Unit =
    if (isOn && isQueued.compareAndSet(false, true)) {
      try thread.execute(() => run())
      catch { case _: RejectedExecutionException => () } // the block manager is being stopped
    }

  def stop(): Unit = thread.shutdownNow(): Unit

  private def ready: Double = math.min(MaxShare, share * (1 << math.min(doublings.get, 10)))

  private def run(): Unit = {
    isQueued.set(false)
    try while (copySome()) {}
    catch {
      case failure: Throwable if !Causes.isInterrupt(failure) =>
        logWarning("Blocks couldn't be copied to disk ahead of their eviction", failure)
    }
  }

  /** True if blocks were copied, so that it is worth looking again. */
  private def copySome(): Boolean = {
    val store = manager.memoryStore.asInstanceOf[HpcMemoryStore]
    var copied = false
    for (mode <- MemoryMode.values) {
      var short = missing(mode)
      if (short > 0) {
        val victims = store.nextVictims(mode, short).iterator
        while (short > 0 && victims.hasNext) {
          val (id, resident) = victims.next()
          if (!manager.isUnwritten(id)) {
            short -= resident.bytes
          } else if (copy(store, id, resident)) {
            short -= resident.bytes
            copied = true
          }
        }
      }
    }
    copied
  }

  /** The bytes that would have to be evicted for enough to be free. */
  private def missing(mode: MemoryMode): Long = memory.synchronized {
    val (most, stored, executing) = mode match {
      case MemoryMode.ON_HEAP =>
        (
          memory.maxOnHeapStorageMemory,
          memory.onHeapStorageMemoryUsed,
          memory.onHeapExecutionMemoryUsed
        )
      case MemoryMode.OFF_HEAP =>
        (
          memory.maxOffHeapStorageMemory,
          memory.offHeapStorageMemoryUsed,
          memory.offHeapExecutionMemoryUsed
        )
    }
    // What storage may have at most is less by what tasks have now.
    (ready * (most + executing)).toLong - (most - stored)
  }

  private def copy(store: HpcMemoryStore, id: BlockId, resident: Resident): Boolean =
    manager.blockInfoManager.lockForReading(id, blocking = false).exists { info =>
      try {
        // Asking for free space may have to wait as well.
        busySince = System.nanoTime()
        lazy val content = store.content(id, resident)(info.classTag.asInstanceOf[ClassTag[Any]])
        store.contains(id) && manager.mayCopy(id, info.level, manager.sample(() => content)) &&
        tried(id) {
          if (!manager.diskStore.contains(id)) {
            val begun = System.nanoTime()
            write(id, content)(info.classTag.asInstanceOf[ClassTag[Any]])
            store.speed.wrote(resident.bytes, System.nanoTime() - begun)
          }
          manager.copied(id, info.level)
        }
      } finally {
        busySince = 0
        manager.blockInfoManager.unlock(id)
      }
    }

  private def tried(id: BlockId)(copy: => Unit): Boolean =
    try {
      copy
      true
    } catch {
      case failure: Throwable =>
        manager.failed(id, failure)
        false
    }

  private def write[T: ClassTag](
      id: BlockId,
      content: Either[Array[T], ChunkedByteBuffer]
  ): Unit = content match {
    case Left(values) =>
      manager.diskStore.put(id) { channel =>
        val out = Channels.newOutputStream(channel)
        manager.serializerManager.dataSerializeStream(id, out, values.iterator)
      }
    case Right(bytes) => manager.diskStore.putBytes(id, bytes)
  }
}

private[storage] object CopyAhead {
  val DefaultShare = 0.05

  // With Spark's own storageFraction tasks never ask for more: the other half is storage's.
  val MaxShare = 0.5

  val StallNanos: Long = TimeUnit.SECONDS.toNanos(5)
}
