package org.apache.spark.storage.hpc.cache

import java.nio.channels.Channels
import java.util.{HashSet => JHashSet}
import java.util.concurrent.{ConcurrentHashMap, RejectedExecutionException}
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger}

import scala.reflect.ClassTag

import org.apache.spark.internal.Logging
import org.apache.spark.memory.{MemoryManager, MemoryMode}
import org.apache.spark.storage.{BlockId, BlockInfo, RDDBlockId, StorageLevel}
import org.apache.spark.storage.hpc.disk.{Causes, HpcDiskStore}
import org.apache.spark.storage.memory.hpc.{HpcMemoryStore, Resident, SpillableLevel}
import org.apache.spark.util.ThreadUtils
import org.apache.spark.util.io.ChunkedByteBuffer

/** Writes blocks to disk before they are evicted: for the thread that needs their room, or, where a write
  * may have to wait for other machines, before that in a thread of its own.
  *
  * Evictions happen under the memory manager's monitor, where a write would hold up heartbeats, the
  * scheduler and other jobs; of a block that is ready an eviction only drops the copy in memory. A block
  * is copied under its read lock, so it can be read meanwhile, but neither evicted nor removed. It isn't
  * copied while the disk hangs, and the lock isn't held then.
  *
  * @param share of the memory that is to be free at once, see `spark.hpc.retention.copyAhead`; 0 for
  *   no thread
  */
private[storage] final class CopyAhead(manager: CacheSpilling, memory: MemoryManager, share: Double)
    extends Logging {
  import CopyAhead._

  private val thread = ThreadUtils.newDaemonSingleThreadExecutor("spark-hpc-copy-ahead")
  private val isQueued = new AtomicBoolean
  private val doublings = new AtomicInteger
  private val copying = ConcurrentHashMap.newKeySet[BlockId]()

  private lazy val store = manager.memoryStore.asInstanceOf[HpcMemoryStore]
  private lazy val disk = manager.diskStore.asInstanceOf[HpcDiskStore]

  def isOn: Boolean = share > 0

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
    try
      for (mode <- MemoryMode.values)
        makeReady(mode, None, isCopied = true)(missing(mode) - store.readyBytes(None, mode))
    catch {
      case failure: Throwable if !Causes.isInterrupt(failure) =>
        logWarning("Blocks couldn't be copied to disk ahead of their eviction", failure)
    }
  }

  /** Makes the next victims ready to be evicted until no more bytes are wanted, or none is left for
    * which that can be done.
    *
    * @param rdd whose blocks stay
    * @param isCopied whether blocks may be written now; otherwise only those get ready that needn't be
    */
  def makeReady(mode: MemoryMode, rdd: Option[Int], isCopied: Boolean)(wanted: => Long): Unit = {
    val passed = new JHashSet[BlockId]
    def more() = {
      val bytes = wanted
      if (bytes <= 0 || passed.size > MostPassed) Nil
      else store.nextVictims(mode, bytes, rdd, passed.contains(_))
    }
    var victims = more()
    while (victims.nonEmpty) {
      val next = victims.iterator
      while (next.hasNext && wanted > 0) {
        val (id, resident) = next.next()
        if (isReady(id) || isCopied && copied(id, resident) || isReady(id)) {
          store.setReady(id, isReady = true)
        } else {
          passed.add(id)
        }
      }
      victims = more()
    }
  }

  private def isReady(id: BlockId): Boolean = !manager.isUnwritten(id)

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

  /** True if the block was written; not if somebody uses it, who would keep it from being evicted. */
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
    store.contains(id) && manager.mayCopy(id, info.level) && {
      val content = store.content(id, resident)(tag)
      isWorthIt(id, resident, content)(tag) && tried(id) {
        if (!disk.wrote(id)) {
          val begun = System.nanoTime()
          write(id, info.level, content)(tag)
          store.speed.wrote(resident.bytes, System.nanoTime() - begun, resident.rdd)
        }
        manager.copied(id, info.level)
      }
    }
  }

  /** Whether the block should be written still, when it is known what serializing it takes. */
  private def isWorthIt[T](
      id: BlockId,
      resident: Resident,
      content: Either[Array[T], ChunkedByteBuffer]
  )(tag: ClassTag[T]): Boolean = {
    (content, id) match {
      case (Left(values), block: RDDBlockId) if values.nonEmpty =>
        val some = values.take(SerializationSample.Elements)
        manager.elements.measure(block, some, resident.bytes / values.length)(tag)
      case _ => // is serialized already
    }
    !isReady(id)
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
      level: StorageLevel,
      content: Either[Array[T], ChunkedByteBuffer]
  ): Unit = content match {
    case Left(values) =>
      disk.putAside(id) { channel =>
        val out = Channels.newOutputStream(channel)
        val written = level match {
          case _: SpillableLevel =>
            manager.elements.checked(implicitly[ClassTag[T]], values.iterator)
          case _ => values.iterator // its user wants it on disk
        }
        manager.serializerManager.dataSerializeStream(id, out, written)
      }
    case Right(bytes) => disk.putAside(id)(bytes.writeFully(_))
  }
}

private[storage] object CopyAhead {
  val DefaultShare = 0.05

  // With Spark's own storageFraction tasks never ask for more: the other half is storage's.
  val MaxShare = 0.5

  /** After so many blocks that couldn't be made ready, others aren't looked for. */
  private val MostPassed = 1000
}
