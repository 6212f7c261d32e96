package org.apache.spark.storage.memory.hpc

import java.lang.management.ManagementFactory
import java.util.concurrent.TimeUnit

import scala.reflect.ClassTag

import com.codahale.metrics.Timer

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Hpc
import org.apache.spark.memory.{MemoryManager, MemoryMode}
import org.apache.spark.serializer.SerializerManager
import org.apache.spark.storage.{BlockId, BlockInfo, BlockInfoManager}
import org.apache.spark.storage.memory.{
  BlockEvictionHandler,
  MemoryStore,
  PartiallySerializedBlock,
  PartiallyUnrolledIterator
}
import org.apache.spark.util.io.ChunkedByteBuffer
import org.sparkhpc.retain.{DiskSpeed, RetentionPolicy}
import org.sparkhpc.retain.trace.TracedSpeed

/** Spark's memory store, except that it evicts blocks in the order of a [[RetentionPolicy]], those that need no write
  * first.
  *
  * The store tells the [[SpillableLevel]] of a block if the block does not fit.
  */
private[spark] class HpcMemoryStore(
    conf: SparkConf,
    blockInfoManager: BlockInfoManager,
    serializerManager: SerializerManager,
    memoryManager: MemoryManager,
    handler: BlockEvictionHandler
) extends MemoryStore(conf, blockInfoManager, serializerManager, memoryManager, handler) {

  private val advised = Some(handler).collect { case advised: EvictionAdvice.Advised => advised }

  // Not evaluated before it is needed: the block manager creates this store first.
  private def advice: Option[EvictionAdvice] = advised.map(_.advice)

  // Lazy: the settings are checked after this store is created.
  private lazy val traceFile = TraceFile.of(conf)

  private[storage] lazy val speed: DiskSpeed =
    traceFile.fold(new DiskSpeed)(new TracedSpeed(_))

  private[storage] lazy val trace: Option[MemoryTrace] = traceFile.map { file =>
    val trace = new MemoryTrace(memoryManager, file)
    trace.begin()
    trace
  }

  private[storage] lazy val policy: RetentionPolicy[BlockId] =
    Policies.of(conf, speed, id => advice.exists(_.couldSpill(id)), traceFile)

  /** The blocks in this store, in eviction order. */
  private[storage] val order =
    new EvictionOrder(policy, id => advice.exists(_.hasCopy(id)), isInUse)

  private lazy val eviction = new Eviction(blockInfoManager, order, policy, drop)

  private val threads = ManagementFactory.getThreadMXBean

  // Until there is a block to spill, evictions are Spark's own, except with this policy.
  private lazy val isLrc = conf.get(Hpc.RETENTION_POLICY) == "lrc"

  private def isInUse(block: BlockId): Boolean = blockInfoManager.get(block).exists { info =>
    info.readerCount > 0 || info.writerTask != BlockInfo.NO_WRITER
  }

  /** How long evictions held the memory manager's monitor, and their CPU time in it. */
  private[storage] val evictions, evictionsCpu = new Timer

  /** Whether this thread holds the memory manager's monitor, as evictions do. Other threads wait for the monitor. */
  private[storage] def isMonitorHeld: Boolean = Thread.holdsLock(memoryManager)

  /** Whether a block that was read from disk should be put into memory again. */
  private[storage] def isWorthReading(blockId: BlockId): Boolean = policy.isWorthReading(blockId)

  private def free(mode: MemoryMode): Long = most(mode) - (mode match {
    case MemoryMode.ON_HEAP => memoryManager.onHeapStorageMemoryUsed
    case MemoryMode.OFF_HEAP => memoryManager.offHeapStorageMemoryUsed
  })

  private def most(mode: MemoryMode): Long = mode match {
    case MemoryMode.ON_HEAP => memoryManager.maxOnHeapStorageMemory
    case MemoryMode.OFF_HEAP => memoryManager.maxOffHeapStorageMemory
  }

  /** Runs `put`, which stores a block, after making room for so many bytes. */
  private def withRoom[A](blockId: BlockId, bytes: Long, mode: MemoryMode)(put: => A): A = {
    if (blockId.isRDD) traceNeed(Some(blockId), bytes, mode)
    advice.filter(_.isSpilling && !isMonitorHeld) match {
      case Some(advice) =>
        val missing = bytes - free(mode)
        if (missing > 0) advice.withRoom(blockId, missing, mode)(put) else put
      case None => put
    }
  }

  override def reserveUnrollMemoryForThisTask(
      blockId: BlockId,
      memory: Long,
      memoryMode: MemoryMode
  ): Boolean = withRoom(blockId, memory, memoryMode) {
    super.reserveUnrollMemoryForThisTask(blockId, memory, memoryMode)
  }

  override def releaseUnrollMemoryForThisTask(mode: MemoryMode, memory: Long): Unit = {
    super.releaseUnrollMemoryForThisTask(mode, memory)
    traceNeed(None, 0, mode)
  }

  /** @param bytes that are asked for, besides what tasks have */
  private def traceNeed(newcomer: Option[BlockId], bytes: Long, mode: MemoryMode): Unit =
    trace.foreach(_.needed(newcomer, bytes, most(mode) - currentUnrollMemory - bytes, mode))

  override def putBytes[T: ClassTag](
      blockId: BlockId,
      size: Long,
      memoryMode: MemoryMode,
      bytes: () => ChunkedByteBuffer
  ): Boolean = {
    val fits = withRoom(blockId, size, memoryMode) {
      super.putBytes(blockId, size, memoryMode, bytes)
    }
    if (fits) added(blockId, size, memoryMode, asValues = false) else overflow(blockId)
    fits
  }

  private[storage] override def putIteratorAsValues[T](
      blockId: BlockId,
      values: Iterator[T],
      memoryMode: MemoryMode,
      classTag: ClassTag[T]
  ): Either[PartiallyUnrolledIterator[T], Long] =
    super.putIteratorAsValues(blockId, values, memoryMode, classTag) match {
      case Right(size) =>
        added(blockId, size, memoryMode, asValues = true)
        Right(size)
      case Left(unrolled) if overflow(blockId) =>
        def checked(values: Iterator[T]) = advice.fold(values)(_.checked(classTag, values))
        Left(new CheckedValues(this, memoryMode, unrolled, checked(_)))
      case Left(unrolled) => Left(unrolled)
    }

  private[storage] override def putIteratorAsBytes[T](
      blockId: BlockId,
      values: Iterator[T],
      classTag: ClassTag[T],
      memoryMode: MemoryMode
  ): Either[PartiallySerializedBlock[T], Long] = {
    // Values that fit in memory are serialized unchecked, as in stock Spark. The rest, which goes to disk, is checked.
    val rest = new LateCheck(values)
    super.putIteratorAsBytes(blockId, rest, classTag, memoryMode) match {
      case Right(size) =>
        added(blockId, size, memoryMode, asValues = false)
        Right(size)
      case Left(serialized) =>
        if (overflow(blockId)) advice.foreach(advice => rest.begin(advice.checked(classTag, _)))
        Left(serialized)
    }
  }

  /** True if a block that does not fit goes to disk although its user's storage level has no disk. */
  private def overflow(blockId: BlockId): Boolean =
    blockInfoManager.get(blockId).map(_.level).exists {
      case level: SpillableLevel =>
        level.overflow()
        level.useDisk
      case _ => false
    }

  private def added(blockId: BlockId, bytes: Long, mode: MemoryMode, asValues: Boolean): Unit = {
    traceNeed(None, 0, mode)
    order.added(blockId, bytes, mode, asValues)
    advice.foreach(_.memoryChanged())
  }

  override def getBytes(blockId: BlockId): Option[ChunkedByteBuffer] = {
    order.used(blockId)
    super.getBytes(blockId)
  }

  override def getValues(blockId: BlockId): Option[Iterator[_]] = {
    order.used(blockId)
    super.getValues(blockId)
  }

  override def remove(blockId: BlockId): Boolean = {
    order.removed(blockId)
    super.remove(blockId)
  }

  override def clear(): Unit = {
    order.clear()
    super.clear()
  }

  private[spark] override def evictBlocksToFreeSpace(
      blockId: Option[BlockId],
      space: Long,
      memoryMode: MemoryMode
  ): Long = memoryManager.synchronized {
    val time = evictions.time()
    val cpu = threads.getCurrentThreadCpuTime
    if (!blockId.exists(_.isRDD)) trace.foreach { trace =>
      val left = memoryManager.storageMemoryUsed - currentUnrollMemory - space
      trace.needed(None, space, left, memoryMode)
    }
    try
      advice.filter(_.isSpilling) match {
        case None if !isLrc => super.evictBlocksToFreeSpace(blockId, space, memoryMode)
        case spilling => eviction.evict(spilling, blockId, space, memoryMode)
      }
    finally {
      evictionsCpu.update(threads.getCurrentThreadCpuTime - cpu, TimeUnit.NANOSECONDS)
      Computations.exclude(time.stop())
    }
  }

  /** Drops a block whose write lock is held, and releases the lock. */
  private def drop(id: BlockId, resident: Resident): Unit =
    if (contains(id)) dropPresent(id, resident) else blockInfoManager.unlock(id)

  private def dropPresent(id: BlockId, resident: Resident): Unit = {
    val tag = blockInfoManager.get(id).get.classTag.asInstanceOf[ClassTag[Any]]
    if (handler.dropFromMemory(id, () => content(id, resident)(tag))(tag).isValid) {
      blockInfoManager.unlock(id)
    } else {
      blockInfoManager.removeBlock(id)
    }
    afterDropAction(id)
  }

  /** The values or bytes of a block, which must be in memory and locked. The eviction order does not change. */
  private[storage] def content[T: ClassTag](
      id: BlockId,
      resident: Resident
  ): Either[Array[T], ChunkedByteBuffer] =
    if (resident.asValues) Left(super.getValues(id).get.asInstanceOf[Iterator[T]].toArray)
    else Right(super.getBytes(id).get)
}
