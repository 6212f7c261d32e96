package org.apache.spark.storage.memory.hpc

import java.lang.{Long => JLong}
import java.util.concurrent.ConcurrentHashMap
import java.util.function.BinaryOperator

import scala.collection.JavaConverters._

import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.BlockId

/** The blocks in memory, and which of them are ready: evicting a ready block needs no write.
  *
  * The bytes that could be evicted are kept as sums, since an eviction asks for them under the memory manager's
  * monitor, where it should not visit all blocks. All methods are thread-safe.
  */
private[memory] final class Residents {
  import Residents._

  private val blocks = new ConcurrentHashMap[BlockId, Resident]
  // By RDD, since a search passes over those of one RDD.
  private val ready = new ConcurrentHashMap[Int, OfRdd]
  private val all, allReady = new Bytes

  /** The block in memory, or null. */
  def get(id: BlockId): Resident = blocks.get(id)

  /** The ready blocks. */
  def allReadyNow: Seq[BlockId] = ready.values.asScala.flatMap(_.keySet.asScala).toList

  def isReady(id: BlockId): Boolean = {
    val its = ready.get(rddOf(id))
    its != null && its.containsKey(id)
  }

  /** The bytes of all blocks except those of `rdd`. */
  def bytesBut(rdd: Option[Int], mode: MemoryMode): Long = all.but(rdd, mode)

  /** The bytes of all ready blocks except those of `rdd`. */
  def readyBut(rdd: Option[Int], mode: MemoryMode): Long = allReady.but(rdd, mode)

  /** The bytes of the wanted ready blocks except those of `rdd`; the search ends at `enough` bytes. */
  def readyBut(rdd: Option[Int], mode: MemoryMode, enough: Long)(
      isWanted: BlockId => Boolean
  ): Long =
    if (readyBut(rdd, mode) <= 0) 0
    else {
      val found = for {
        (its, blocks) <- ready.asScala.iterator if !rdd.contains(its)
        (id, block) <- blocks.asScala.iterator if block.mode == mode && isWanted(id)
      } yield block.bytes
      var sum = 0L
      while (sum < enough && found.hasNext) sum += found.next()
      sum
    }

  def add(id: BlockId, block: Resident): Unit = {
    remove(id)
    if (blocks.put(id, block) == null) all.add(block, 1)
  }

  def remove(id: BlockId): Unit = {
    setReady(id, isReady = false)
    val block = blocks.remove(id)
    if (block != null) all.add(block, -1)
  }

  def setReady(id: BlockId, isReady: Boolean): Unit =
    if (!isReady) {
      ready.computeIfPresent(
        rddOf(id),
        (_, its) => {
          val block = its.remove(id)
          if (block != null) allReady.add(block, -1)
          if (its.isEmpty) null else its
        }
      ): Unit
    } else {
      val block = blocks.get(id)
      if (block != null) {
        ready.compute(
          rddOf(id),
          (_, known) => {
            val its = if (known == null) new OfRdd else known
            if (its.putIfAbsent(id, block) == null) allReady.add(block, 1)
            its
          }
        )
        // The block may have left memory meanwhile.
        if (blocks.get(id) ne block) setReady(id, isReady = false)
      }
    }

  def clear(): Unit = {
    blocks.clear()
    ready.clear()
    all.clear()
    allReady.clear()
  }
}

private object Residents {
  private type OfRdd = ConcurrentHashMap[BlockId, Resident]

  private val sum: BinaryOperator[JLong] = (a, b) => a + b

  private def rddOf(id: BlockId): Int = id.asRDDId.fold(-1)(_.rddId)

  /** Sums of block sizes by RDD and memory mode. */
  private final class Bytes {
    private val byRdd = new ConcurrentHashMap[(Int, MemoryMode), JLong]
    private val byMode = new ConcurrentHashMap[MemoryMode, JLong]

    def add(block: Resident, sign: Int): Unit = {
      val bytes = JLong.valueOf(sign * block.bytes)
      byMode.merge(block.mode, bytes, sum)
      // A sum of 0 is removed, so that the map does not grow with each new RDD.
      byRdd.merge((block.rdd, block.mode), bytes, (a, b) => if (a == -b) null else a + b): Unit
    }

    def but(rdd: Option[Int], mode: MemoryMode): Long =
      byMode.getOrDefault(mode, 0L) - rdd.fold(0L)(id => byRdd.getOrDefault((id, mode), 0L))

    def clear(): Unit = {
      byRdd.clear()
      byMode.clear()
    }
  }
}
