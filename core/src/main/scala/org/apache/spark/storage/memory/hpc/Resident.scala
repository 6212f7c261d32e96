package org.apache.spark.storage.memory.hpc

import org.apache.spark.memory.MemoryMode

/** A block in memory.
  *
  * @param rdd its RDD; -1 if it is of none
  * @param bytes what it is charged
  * @param asValues whether it is kept as objects, not serialized
  */
private[storage] final case class Resident(
    rdd: Int,
    bytes: Long,
    mode: MemoryMode,
    asValues: Boolean
)
