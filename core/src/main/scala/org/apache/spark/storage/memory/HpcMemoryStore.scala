package org.apache.spark.storage.memory

import java.util.concurrent.ConcurrentHashMap

import scala.collection.mutable.ArrayBuffer
import scala.reflect.ClassTag

import com.codahale.metrics.Timer

import org.apache.spark.SparkConf
import org.apache.spark.hpc.retain.{DiskSpeed, RetentionPolicy}
import org.apache.spark.internal.config.Hpc
import org.apache.spark.memory.{MemoryManager, MemoryMode}
import org.apache.spark.serializer.SerializerManager
import org.apache.spark.storage.{BlockId, BlockInfoManager, Computations, SpillableLevel}
import org.apache.spark.util.io.ChunkedByteBuffer

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

  private val residents = new ConcurrentHashMap[BlockId, Resident]

  private val advice = Some(handler).collect { case advice: EvictionAdvice => advice }

  private[storage] val speed = new DiskSpeed

  // Made when the settings were checked.
  private[storage] lazy val policy: RetentionPolicy[BlockId] =
    Policies.of(conf, speed, id => advice.exists(_.couldSpill(id)))

  // With Spark's own order, and nothing to spill, evictions are Spark's own as well.
  private lazy val isLru = conf.get(Hpc.RETENTION_POLICY) == "lru"

  /** How long evictions held the memory manager's monitor. */
  private[storage] val evictions = new Timer

  /** What a block in memory is charged; 0 if it isn't there. */
  private[storage] def bytesOf(blockId: BlockId): Long =
    Option(residents.get(blockId)).fold(0L)(_.bytes)

  /** The next victims of a mode, as many as have so many bytes. */
  private[storage] def nextVictims(mode: MemoryMode, bytes: Long): Seq[(BlockId, Resident)] = {
    val victims = new ArrayBuffer[(BlockId, Resident)]
    var found = 0L
    walk { (id, resident) =>
      if (resident.mode == mode) {
        victims += id -> resident
        found += resident.bytes
      }
      found < bytes
    }
    victims
  }

  /** Whether a block that was read from disk should be put into memory again. */
  private[storage] def isWorthReading(blockId: BlockId, mode: MemoryMode): Boolean =
    policy.isWorthReading(
      blockId,
      mode match {
        case MemoryMode.ON_HEAP =>
          memoryManager.maxOnHeapStorageMemory - memoryManager.onHeapStorageMemoryUsed
        case MemoryMode.OFF_HEAP =>
          memoryManager.maxOffHeapStorageMemory - memoryManager.offHeapStorageMemoryUsed
      }
    )

  private def walk(more: (BlockId, Resident) => Boolean): Unit = policy.walk { id =>
    val resident = residents.get(id)
    resident == null || more(id, resident)
  }

  override def putBytes[T: ClassTag](
      blockId: BlockId,
      size: Long,
      memoryMode: MemoryMode,
      bytes: () => ChunkedByteBuffer
  ): Boolean = {
    val fits = super.putBytes(blockId, size, memoryMode, bytes)
    if (fits) added(blockId, Resident(size, memoryMode, asValues = false))
    fits
  }

  private[storage] override def putIteratorAsValues[T](
      blockId: BlockId,
      values: Iterator[T],
      memoryMode: MemoryMode,
      classTag: ClassTag[T]
  ): Either[PartiallyUnrolledIterator[T], Long] =
    put(blockId, memoryMode, asValues = true) {
      super.putIteratorAsValues(blockId, values, memoryMode, classTag)
    }

  private[storage] override def putIteratorAsBytes[T](
      blockId: BlockId,
      values: Iterator[T],
      classTag: ClassTag[T],
      memoryMode: MemoryMode
  ): Either[PartiallySerializedBlock[T], Long] =
    put(blockId, memoryMode, asValues = false) {
      super.putIteratorAsBytes(blockId, values, classTag, memoryMode)
    }

  private def put[A](blockId: BlockId, mode: MemoryMode, asValues: Boolean)(
      put: Either[A, Long]
  ): Either[A, Long] = {
    put match {
      case Right(size) => added(blockId, Resident(size, mode, asValues))
      case Left(_) =>
        blockInfoManager.get(blockId).map(_.level).foreach {
          case level: SpillableLevel => level.overflow()
          case _ =>
        }
    }
    put
  }

  private def added(blockId: BlockId, resident: Resident): Unit = {
    residents.put(blockId, resident)
    policy.stored(blockId, resident.bytes)
    advice.foreach(_.memoryChanged())
  }

  override def getBytes(blockId: BlockId): Option[ChunkedByteBuffer] = {
    policy.used(blockId)
    super.getBytes(blockId)
  }

  override def getValues(blockId: BlockId): Option[Iterator[_]] = {
    policy.used(blockId)
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
    try
      advice.filter(_.isSpilling) match {
        case None if isLru => super.evictBlocksToFreeSpace(blockId, space, memoryMode)
        case spilling => evict(spilling, blockId, space, memoryMode)
      }
    finally Computations.exclude(time.stop())
  }

  /** As Spark's, but with a preference for what needs no writing.
    *
    * What isn't written yet gives way if that takes no slow write. Otherwise it doesn't give way to
    * cached blocks, which have their disk; it does to running tasks, which would fail, and to
    * broadcasts, for which other jobs wait: unwritten, if its user doesn't want it on disk.
    */
  private def evict(
      spilling: Option[EvictionAdvice],
      newcomer: Option[BlockId],
      space: Long,
      mode: MemoryMode
  ): Long = {
    val rdd = newcomer.flatMap(_.asRDDId).map(_.rddId)
    val victims = new ArrayBuffer[(BlockId, Resident)]
    var freed = 0L

    def select(isWanted: BlockId => Boolean): Unit = if (freed < space) {
      val selected = victims.map(_._1).toSet
      walk { (id, resident) =>
        if (
          resident.mode == mode && !rdd.exists(id.asRDDId.map(_.rddId).contains) && isWanted(id) &&
          !selected(id) && blockInfoManager.lockForWriting(id, blocking = false).isDefined
        ) {
          victims += id -> resident
          freed += resident.bytes
        }
        freed < space
      }
    }

    spilling match {
      case None => select(_ => true)
      case Some(advice) =>
        select(!advice.isUnwritten(_))
        if (freed < space) {
          // A cached block that finds no room is written by its own task.
          val mustFree = !newcomer.exists(_.isRDD)
          advice.fellBehind(losing = mustFree && !advice.mayWrite)
          if (advice.mayWrite || mustFree) {
            if (!advice.mayWrite) select(advice.isDroppable)
            select(_ => true)
          }
        }
    }
    if (freed >= space && newcomer.forall(policy.isWorth(_, victims.map(_._1)))) {
      victims.foreach { case (id, _) => policy.evicted(id) }
      dropAll(victims)
      spilling.foreach(_.memoryChanged())
      freed
    } else {
      victims.foreach { case (id, _) => blockInfoManager.unlock(id) }
      0
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
