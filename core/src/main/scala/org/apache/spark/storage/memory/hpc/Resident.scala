package org.apache.spark.storage.memory.hpc

import org.apache.spark.memory.MemoryMode

/** A block in memory.
  *
  * @param rdd the id of its RDD; -1 if it has none
  * @param bytes the memory that it is charged
  * @param asValues whether it is stored as objects, not serialized
  */
private[storage] final case class Resident(
    rdd: Int,
    bytes: Long,
    mode: MemoryMode,
    asValues: Boolean
)
