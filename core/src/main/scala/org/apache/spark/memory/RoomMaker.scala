package org.apache.spark.memory

/** Makes cached blocks ready to be evicted, before the memory manager's monitor is entered.
  *
  * An eviction happens under that monitor. A write there would hold up every task that wants memory,
  * heartbeats and the scheduler, so blocks are written to disk before.
  */
private[spark] trait RoomMaker {

  /** Runs `acquire`, which is about to evict cached blocks.
    *
    * @param bytes how much it needs besides what is free
    */
  def withRoom[A](bytes: Long, mode: MemoryMode)(acquire: => A): A
}
