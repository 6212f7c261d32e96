package org.apache.spark.storage.hpc.cache

import java.nio.channels.Channels
import java.util.{HashSet => JHashSet}
import java.util.concurrent.{ConcurrentHashMap, RejectedExecutionException}
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger}

import scala.reflect.ClassTag

import org.apache.spark.internal.Logging
import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.{BlockId, BlockInfo, RDDBlockId, StorageLevel}
import org.apache.spark.storage.hpc.disk.Causes
import org.apache.spark.storage.memory.hpc.{Resident, SpillableLevel}
import org.apache.spark.util.ThreadUtils
import org.apache.spark.util.io.ChunkedByteBuffer

/** Writes blocks to disk before they are evicted: in the thread that needs their memory and, if a write may have to wait
  * for other machines, earlier in a background thread, too.
  *
  * An eviction holds the memory manager's monitor: a write under it would delay heartbeats, the scheduler and other
  * jobs. The eviction of a ready block only drops its copy in memory. A block is copied under its read lock, so it can
  * be read meanwhile, but neither evicted nor removed. While the disk hangs, no block is copied and no lock is held.
  *
  * [[SpillDecisions.freeShare]] says whether there is a background thread, and how much memory it frees.
  */
private[storage] final class CopyAhead(context: CacheContext, decisions: SpillDecisions)
    extends Logging {
  import CopyAhead._
  import context.{inMemory => store, manager, memory, onDisk => disk}

  private val thread = ThreadUtils.newDaemonSingleThreadExecutor("spark-hpc-copy-ahead")
  private val isQueued = new AtomicBoolean
  private val doublings = new AtomicInteger
  private val copying = ConcurrentHashMap.newKeySet[BlockId]()

  private def isOn = decisions.freeShare > 0

  /** Called when an eviction needed more than the ready blocks. `losing`: it evicts other blocks without a write. */
  def fellBehind(losing: Boolean): Unit =
    if (isOn) {
      context.counts.fellBehind.inc()
      if (losing && ready < MaxShare) doublings.incrementAndGet(): Unit
    }

  /** Makes the background thread, if there is one, look for blocks to copy. */
  def wake(): Unit =
    if (isOn && isQueued.compareAndSet(false, true)) {
      try thread.execute(() => run())
      catch { case _: RejectedExecutionException => () } // the block manager is being stopped
    }

  def stop(): Unit = thread.shutdownNow(): Unit

  private def ready: Double =
    math.min(MaxShare, decisions.freeShare * (1 << math.min(doublings.get, 10)))

  private def run(): Unit = {
    isQueued.set(false)
    try
      for (mode <- MemoryMode.values)
        makeReady(mode, None, isCopied = true)(missing(mode) - store.order.readyBytes(None, mode))
    catch {
      case failure: Throwable if !Causes.isInterrupt(failure) =>
        logWarning("Cannot copy cached blocks to disk before their eviction", failure)
    }
  }

  /** Makes the next blocks to evict ready, until no more bytes are wanted or no more blocks can be made ready.
    *
    * @param rdd the RDD whose blocks stay in memory
    * @param isCopied whether blocks may be written now; otherwise only blocks that need no write are made ready
    */
  def makeReady(mode: MemoryMode, rdd: Option[Int], isCopied: Boolean)(wanted: => Long): Unit = {
    val passed = new JHashSet[BlockId]
    def more() = {
      val bytes = wanted
      if (bytes <= 0 || passed.size > MostPassed) Nil
      else store.order.nextVictims(mode, bytes, rdd, passed.contains(_))
    }
    var victims = more()
    while (victims.nonEmpty) {
      val next = victims.iterator
      while (next.hasNext && wanted > 0) {
        val (id, resident) = next.next()
        if (isReady(id) || isCopied && copied(id, resident) || isReady(id)) {
          store.order.setReady(id, isReady = true)
        } else {
          passed.add(id)
        }
      }
      victims = more()
    }
  }

  private def isReady(id: BlockId): Boolean = !decisions.isUnwritten(id)

  /** The bytes that must be evicted for the wanted share to be free. */
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
    // The maximum of storage memory does not include the memory that tasks use now.
    (ready * (most + executing)).toLong - (most - stored)
  }

  /** Copies the block; true if it was written. A block in use is not copied, since it cannot be evicted. */
  private def copied(id: BlockId, resident: Resident): Boolean =
    !disk.isStalled && copying.add(id) && {
      try
        manager.blockInfoManager.get(id).exists(_.readerCount == 0) &&
          manager.blockInfoManager.lockForReading(id, blocking = false).exists { info =>
            try copy(id, resident, info)
            finally manager.blockInfoManager.unlock(id)
          }
      finally copying.remove(id)
    }

  private def copy(id: BlockId, resident: Resident, info: BlockInfo): Boolean = {
    val tag = info.classTag.asInstanceOf[ClassTag[Any]]
    store.contains(id) && decisions.mayCopy(id, info.level) && {
      val content = store.content(id, resident)(tag)
      isWorthIt(id, resident, content)(tag) && tried(id) {
        if (!disk.wrote(id)) {
          val begun = System.nanoTime()
          write(id, info.level, content)(tag)
          store.speed.wrote(resident.bytes, System.nanoTime() - begun, resident.rdd)
        }
        decisions.copied(id, info.level)
      }
    }
  }

  /** Whether the block should still be written, now that the cost of serializing it is measured. */
  private def isWorthIt[T](
      id: BlockId,
      resident: Resident,
      content: Either[Array[T], ChunkedByteBuffer]
  )(tag: ClassTag[T]): Boolean = {
    (content, id) match {
      case (Left(values), block: RDDBlockId) if values.nonEmpty =>
        val some = values.take(SerializationSample.Elements)
        context.elements.measure(block, some, resident.bytes / values.length)(tag)
      case _ => // the block is serialized already
    }
    !isReady(id)
  }

  private def tried(id: BlockId)(copy: => Unit): Boolean =
    try {
      copy
      true
    } catch {
      case failure: Throwable =>
        decisions.failed(id, failure)
        false
    }

  private def write[T: ClassTag](
      id: BlockId,
      level: StorageLevel,
      content: Either[Array[T], ChunkedByteBuffer]
  ): Unit = content match {
    case Left(values) =>
      disk.putAside(id) { channel =>
        val out = Channels.newOutputStream(channel)
        val written = level match {
          case _: SpillableLevel =>
            context.elements.checked(implicitly[ClassTag[T]], values.iterator)
          case _ => values.iterator // the user's level includes disk
        }
        manager.serializerManager.dataSerializeStream(id, out, written)
      }
    case Right(bytes) => disk.putAside(id)(bytes.writeFully(_))
  }
}

private[storage] object CopyAhead {
  val DefaultShare = 0.05

  // With Spark's default storageFraction, tasks never evict more: the other half is reserved for storage.
  val MaxShare = 0.5

  /** The search ends after this many blocks that could not be made ready. */
  private val MostPassed = 1000
}
