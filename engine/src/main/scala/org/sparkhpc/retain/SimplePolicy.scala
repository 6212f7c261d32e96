package org.sparkhpc.retain

/** A policy that doesn't look at how blocks are made, nor at the disk: what comes gets room, and what
  * leaves is written.
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

  override def isWorthReading(block: K, room: Long): Boolean = true

  override def isWorth(newcomer: K, victims: Iterable[K]): Boolean = true

  override def isWorthWriting(block: K): Boolean = true

  override def isWorthWriting(block: K, soFar: SoFar[K]): Boolean = true
}
