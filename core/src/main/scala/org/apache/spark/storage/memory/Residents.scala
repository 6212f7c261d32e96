package org.apache.spark.storage.memory

import java.util.LinkedHashMap

import scala.collection.JavaConverters._

import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.BlockId

/** What is known of a block in memory.
  *
  * @param bytes as they are charged
  * @param asValues whether it is kept as objects, not as bytes
  */
private[storage] final case class Resident(bytes: Long, mode: MemoryMode, asValues: Boolean)

/** The blocks in memory in the order in which they were last used. All methods are thread-safe.
  *
  * [[MemoryStore]] has the same order but shows it to nobody.
  */
private[memory] final class Residents {
  private val byUse = new LinkedHashMap[BlockId, Resident](32, 0.75f, true)

  def add(blockId: BlockId, resident: Resident): Unit =
    byUse.synchronized(byUse.put(blockId, resident): Unit)

  def use(blockId: BlockId): Unit = byUse.synchronized(byUse.get(blockId): Unit)

  def remove(blockId: BlockId): Unit = byUse.synchronized(byUse.remove(blockId): Unit)

  def clear(): Unit = byUse.synchronized(byUse.clear())

  /** Shows blocks, the one that was unused longest first, for as long as `more` says so. */
  def walk(more: (BlockId, Resident) => Boolean): Unit = byUse.synchronized {
    val all = byUse.entrySet.iterator
    var go = true
    while (go && all.hasNext) {
      val next = all.next()
      go = more(next.getKey, next.getValue)
    }
  }

  /** All of them, the one that was unused longest first. */
  def oldestFirst(): Seq[(BlockId, Resident)] = byUse.synchronized {
    byUse.asScala.toVector
  }
}
