package org.apache.spark.storage.memory.hpc

import java.lang.management.ManagementFactory
import java.util.concurrent.TimeUnit

import scala.collection.mutable.ArrayBuffer
import scala.reflect.ClassTag

import com.codahale.metrics.Timer

import org.apache.spark.SparkConf
import org.apache.spark.internal.config.Hpc
import org.apache.spark.memory.{MemoryManager, MemoryMode}
import org.apache.spark.serializer.SerializerManager
import org.apache.spark.storage.{BlockId, BlockInfoManager, RDDBlockId}
import org.apache.spark.storage.memory.{
  BlockEvictionHandler,
  MemoryStore,
  PartiallySerializedBlock,
  PartiallyUnrolledIterator
}
import org.apache.spark.util.io.ChunkedByteBuffer
import org.sparkhpc.retain.{DiskSpeed, RetentionPolicy}

/** Keeps blocks in memory as Spark does, and evicts first what needs no writing, in the order of a
  * [[RetentionPolicy]].
  *
  * A block that doesn't fit is told so by its level.
  */
private[spark] class HpcMemoryStore(
    conf: SparkConf,
    blockInfoManager: BlockInfoManager,
    serializerManager: SerializerManager,
    memoryManager: MemoryManager,
    handler: BlockEvictionHandler
) extends MemoryStore(conf, blockInfoManager, serializerManager, memoryManager, handler) {

  private val residents = new Residents

  private val advice = Some(handler).collect { case advice: EvictionAdvice => advice }

  private[storage] val speed = new DiskSpeed

  // Made when the settings were checked.
  private[storage] lazy val policy: RetentionPolicy[BlockId] =
    Policies.of(conf, speed, id => advice.exists(_.couldSpill(id)))

  private val threads = ManagementFactory.getThreadMXBean

  // With Spark's own order, and nothing to spill, evictions are Spark's own as well.
  private lazy val isLru = conf.get(Hpc.RETENTION_POLICY) == "lru"

  /** How long evictions held the memory manager's monitor, and how much of that they computed. */
  private[storage] val evictions, evictionsCpu = new Timer

  /** What a block in memory is charged; 0 if it isn't there. */
  private[storage] def bytesOf(blockId: BlockId): Long =
    Option(residents.get(blockId)).fold(0L)(_.bytes)

  /** The bytes of blocks of other RDDs. */
  private[storage] def bytesBut(rdd: Option[Int], mode: MemoryMode): Long =
    residents.bytesBut(rdd, mode)

  /** The same of those that can be evicted without a write. */
  private[storage] def readyBytes(rdd: Option[Int], mode: MemoryMode): Long =
    residents.readyBut(rdd, mode)

  /** The block can be evicted without a write, or can't any more. */
  private[storage] def setReady(blockId: BlockId, isReady: Boolean): Unit =
    residents.setReady(blockId, isReady)

  /** Blocks without a copy on disk that were ready aren't taken for that any more. */
  private[storage] def recheckReady(): Unit =
    for (id <- residents.allReadyNow if !hasCopy(id)) residents.setReady(id, isReady = false)

  /** Whether the blocks that aren't ready but may be dropped have fewer bytes than that. */
  private[storage] def lackDroppable(
      mode: MemoryMode,
      bytes: Long,
      isDroppable: BlockId => Boolean
  ): Boolean = bytes > 0 && {
    var found = 0L
    walk(None) { (id, resident) =>
      if (resident.mode == mode && !residents.isReady(id) && isDroppable(id))
        found += resident.bytes
      found < bytes
    }
    found < bytes
  }

  /** The next victims that aren't ready to be evicted, as many as have so many bytes.
    *
    * @param rdd whose blocks are none
    */
  private[storage] def nextVictims(
      mode: MemoryMode,
      bytes: Long,
      rdd: Option[Int],
      but: BlockId => Boolean
  ): Seq[(BlockId, Resident)] = {
    val victims = new ArrayBuffer[(BlockId, Resident)]
    var found = 0L
    walk(rdd) { (id, resident) =>
      if (resident.mode == mode && !residents.isReady(id) && !but(id)) {
        victims += id -> resident
        found += resident.bytes
      }
      found < bytes
    }
    victims
  }

  /** Whether a block that was read from disk should be put into memory again. */
  private[storage] def isWorthReading(blockId: BlockId, mode: MemoryMode): Boolean =
    policy.isWorthReading(blockId, free(mode))

  private def free(mode: MemoryMode): Long = mode match {
    case MemoryMode.ON_HEAP =>
      memoryManager.maxOnHeapStorageMemory - memoryManager.onHeapStorageMemoryUsed
    case MemoryMode.OFF_HEAP =>
      memoryManager.maxOffHeapStorageMemory - memoryManager.offHeapStorageMemoryUsed
  }

  /** Runs what is going to store a block, with room made for so many bytes of it. */
  private def withRoom[A](blockId: BlockId, bytes: Long, mode: MemoryMode)(put: => A): A =
    advice.filter(_.isSpilling && !Thread.holdsLock(memoryManager)) match {
      case Some(advice) =>
        val missing = bytes - free(mode)
        if (missing > 0) advice.withRoom(blockId, missing, mode)(put) else put
      case None => put
    }

  override def reserveUnrollMemoryForThisTask(
      blockId: BlockId,
      memory: Long,
      memoryMode: MemoryMode
  ): Boolean = withRoom(blockId, memory, memoryMode) {
    super.reserveUnrollMemoryForThisTask(blockId, memory, memoryMode)
  }

  /** Blocks but for those of an RDD, which are often all there are: they are passed before all else. */
  private def walk(but: Option[Int])(more: (BlockId, Resident) => Boolean): Unit = {
    val spared = but.getOrElse(-1)
    policy.walk {
      case RDDBlockId(`spared`, _) => true
      case id =>
        val resident = residents.get(id)
        resident == null || more(id, resident)
    }
  }

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
    // What was serialized for memory is what stock Spark gives, too; what follows isn't.
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

  /** True if a block that doesn't fit goes to disk, though its user didn't say so. */
  private def overflow(blockId: BlockId): Boolean =
    blockInfoManager.get(blockId).map(_.level).exists {
      case level: SpillableLevel =>
        level.overflow()
        level.useDisk
      case _ => false
    }

  private def added(blockId: BlockId, bytes: Long, mode: MemoryMode, asValues: Boolean): Unit = {
    val rdd = blockId.asRDDId.fold(-1)(_.rddId)
    residents.add(blockId, Resident(rdd, bytes, mode, asValues))
    if (hasCopy(blockId)) residents.setReady(blockId, isReady = true)
    policy.stored(blockId, bytes)
    advice.foreach(_.memoryChanged())
  }

  private def hasCopy(blockId: BlockId): Boolean = advice.exists(_.hasCopy(blockId))

  private def used(blockId: BlockId): Unit = {
    policy.used(blockId)
    // It was ready because it wasn't worth a write; now it may be.
    if (residents.isReady(blockId) && !hasCopy(blockId)) {
      residents.setReady(blockId, isReady = false)
    }
  }

  override def getBytes(blockId: BlockId): Option[ChunkedByteBuffer] = {
    used(blockId)
    super.getBytes(blockId)
  }

  override def getValues(blockId: BlockId): Option[Iterator[_]] = {
    used(blockId)
    super.getValues(blockId)
  }

  override def remove(blockId: BlockId): Boolean = {
    policy.left(blockId)
    residents.remove(blockId)
    super.remove(blockId)
  }

  override def clear(): Unit = {
    policy.end()
    residents.clear()
    super.clear()
  }

  private[spark] override def evictBlocksToFreeSpace(
      blockId: Option[BlockId],
      space: Long,
      memoryMode: MemoryMode
  ): Long = memoryManager.synchronized {
    val time = evictions.time()
    val cpu = threads.getCurrentThreadCpuTime
    try
      advice.filter(_.isSpilling) match {
        case None if isLru => super.evictBlocksToFreeSpace(blockId, space, memoryMode)
        case spilling => evict(spilling, blockId, space, memoryMode)
      }
    finally {
      evictionsCpu.update(threads.getCurrentThreadCpuTime - cpu, TimeUnit.NANOSECONDS)
      Computations.exclude(time.stop())
    }
  }

  /** As Spark's, but what is ready goes first, and nothing else goes for a cached block, which has the
    * disk: it was made ready before as far as that was possible. Running tasks, which would fail, and
    * broadcasts, for which jobs wait, get what isn't ready, too: unwritten, if its user doesn't want
    * it on disk.
    */
  private def evict(
      spilling: Option[EvictionAdvice],
      newcomer: Option[BlockId],
      space: Long,
      mode: MemoryMode
  ): Long = {
    val rdd = newcomer.flatMap(_.asRDDId).map(_.rddId)
    val victims = new Victims(blockInfoManager, mode, space, walk(rdd))
    val all = residents.bytesBut(rdd, mode)
    if (all >= space) spilling match {
      case None => victims.take(all)(_ => true)
      case Some(advice) => select(advice, victims, rdd, mode, space)
    }
    if (victims.suffice && newcomer.forall(policy.isWorth(_, victims.all.map(_._1)))) {
      victims.all.foreach { case (id, _) => policy.evicted(id) }
      dropAll(victims.all)
      spilling.foreach(_.memoryChanged())
      victims.freed
    } else {
      victims.release()
      0
    }
  }

  private def select(
      advice: EvictionAdvice,
      victims: Victims,
      rdd: Option[Int],
      mode: MemoryMode,
      space: Long
  ): Unit = {
    val mustFree = rdd.isEmpty
    val ready = residents.readyBut(rdd, mode)
    if (mustFree || ready >= space) victims.take(ready)(residents.isReady)
    if (!victims.suffice) {
      advice.fellBehind(losing = mustFree)
      if (mustFree) {
        val all = residents.bytesBut(rdd, mode)
        victims.take(all)(advice.isDroppable)
        if (advice.mayWriteNow) victims.take(all)(_ => true)
      }
    }
  }

  /** Drops blocks whose write locks are held, and releases these whatever happens. */
  private def dropAll(victims: Seq[(BlockId, Resident)]): Unit = {
    logInfo(s"${victims.size} blocks selected for dropping")
    var done = 0
    try
      victims.foreach { case (id, resident) =>
        if (contains(id)) drop(id, resident) else blockInfoManager.unlock(id)
        done += 1
      }
    finally victims.drop(done).foreach { case (id, _) => blockInfoManager.unlock(id) }
  }

  private def drop(id: BlockId, resident: Resident): Unit = {
    val tag = blockInfoManager.get(id).get.classTag.asInstanceOf[ClassTag[Any]]
    if (handler.dropFromMemory(id, () => content(id, resident)(tag))(tag).isValid) {
      blockInfoManager.unlock(id)
    } else {
      blockInfoManager.removeBlock(id)
    }
    afterDropAction(id)
  }

  /** A block's values or bytes; it is in memory, and locked. Its place in the order stays. */
  private[storage] def content[T: ClassTag](
      id: BlockId,
      resident: Resident
  ): Either[Array[T], ChunkedByteBuffer] =
    if (resident.asValues) Left(super.getValues(id).get.asInstanceOf[Iterator[T]].toArray)
    else Right(super.getBytes(id).get)
}
