package org.apache.spark.storage.memory

import org.apache.spark.memory.MemoryMode

/** What is known of a block in memory.
  *
  * @param bytes as they are charged
  * @param asValues whether it is kept as objects, not as bytes
  */
private[storage] final case class Resident(bytes: Long, mode: MemoryMode, asValues: Boolean)
