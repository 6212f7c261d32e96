package org.apache.spark.memory

/** Makes cached blocks ready for eviction before the memory manager's monitor is entered.
  *
  * An eviction holds that monitor. A write under it would delay heartbeats, the scheduler and every task that requests
  * memory, so blocks are written to disk before.
  */
private[spark] trait RoomMaker {

  /** Runs `acquire`, which is about to evict cached blocks.
    *
    * @param bytes the bytes that it needs in addition to the free memory
    */
  def withRoom[A](bytes: Long, mode: MemoryMode)(acquire: => A): A
}
