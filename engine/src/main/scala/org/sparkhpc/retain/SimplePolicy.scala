package org.sparkhpc.retain

/** A policy that ignores how blocks are computed, and the disk: each new block gets room, and each evicted block
  * is written.
  */
trait SimplePolicy[K] extends RetentionPolicy[K] {
  override def isObserver: Boolean = false

  override def wantsCost(block: K): Boolean = false

  override def wantsReferences: Boolean = false

  override def requested(block: K, reader: Option[K]): Unit = ()

  override def computed(block: K, nanos: Long, reads: Seq[K]): Unit = ()

  override def evicted(block: K): Unit = ()

  override def written(block: K): Unit = ()

  override def erased(block: K): Unit = ()

  override def forgotten(rdd: Int): Unit = ()

  override def referenced(pending: Map[Int, Int]): Unit = ()

  override def isWorthReading(block: K): Boolean = true

  override def isWorth(newcomer: K, victims: Iterable[K]): Boolean = true

  override def isWorthWriting(block: K): Boolean = true

  override def isWorthWriting(block: K, soFar: SoFar[K]): Boolean = true
}
