package org.apache.spark.storage.memory.hpc

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.memory.MemoryMode
import org.apache.spark.storage.{BlockId, BlockInfoManager}

/** The blocks that one eviction selects, each of them locked for writing.
  *
  * @param space the bytes that are needed
  * @param walk passes the blocks in memory in eviction order, except those of the newcomer's RDD, which would only be
  *   put again
  */
private[memory] final class Victims(
    locks: BlockInfoManager,
    mode: MemoryMode,
    space: Long,
    walk: ((BlockId, Resident) => Boolean) => Unit
) {
  private val taken = new ArrayBuffer[(BlockId, Resident)]
  private var bytes = 0L

  def all: Seq[(BlockId, Resident)] = taken
  def freed: Long = bytes
  def suffice: Boolean = bytes >= space

  /** Selects more blocks until they suffice.
    *
    * @param there the bytes of all wanted blocks: the walk ends when it has seen them all
    */
  def take(there: Long)(isWanted: BlockId => Boolean): Unit = if (!suffice && there > 0) {
    val before = if (taken.isEmpty) Set.empty[BlockId] else taken.map(_._1).toSet
    var left = there
    walk { (id, resident) =>
      if (resident.mode == mode && isWanted(id)) {
        left -= resident.bytes
        if (!before(id) && locks.lockForWriting(id, blocking = false).isDefined) {
          taken += id -> resident
          bytes += resident.bytes
        }
      }
      !suffice && left > 0
    }
  }

  def release(): Unit = taken.foreach { case (id, _) => locks.unlock(id) }
}
