package org.sparkhpc.retain

/** A policy that adds the cost of computing blocks to an order that ignores it: a block that takes less time to
  * compute than to write and to read isn't written ([[Recomputing]]).
  */
final class Observed[K](order: RetentionPolicy[K], names: BlockNames[K], speed: DiskSpeed)
    extends RetentionPolicy[K] {

  private val lineage = new Lineage[K](names, _ => ())
  private val recomputing = new Recomputing[K](lineage, names, speed)

  override def isObserver: Boolean = true

  override def wantsReferences: Boolean = order.wantsReferences

  override def wantsCost(block: K): Boolean = lineage.synchronized {
    lineage.get(block).forall(_.order == 0)
  }

  override def requested(block: K, reader: Option[K]): Unit = {
    lineage.synchronized(lineage.of(block).requests += 1)
    order.requested(block, reader)
  }

  override def computed(block: K, nanos: Long, reads: Seq[K]): Unit = {
    lineage.synchronized(lineage.computed(block, nanos, reads))
    order.computed(block, nanos, reads)
  }

  override def stored(block: K, bytes: Long): Unit = {
    lineage.synchronized(lineage.of(block).bytes = bytes)
    order.stored(block, bytes)
  }

  override def forgotten(rdd: Int): Unit = {
    lineage.synchronized(lineage.forget(rdd))
    order.forgotten(rdd)
  }

  override def end(): Unit = {
    lineage.synchronized(lineage.clear())
    order.end()
  }

  override def isWorthWriting(block: K): Boolean =
    order.isWorthWriting(block) && lineage.synchronized {
      !lineage.get(block).exists(recomputing.isCheaper(_))
    }

  override def isWorthWriting(block: K, soFar: SoFar[K]): Boolean =
    order.isWorthWriting(block, soFar) &&
      lineage.synchronized(!recomputing.isCheaper(block, soFar))

  override def used(block: K): Unit = order.used(block)

  override def evicted(block: K): Unit = order.evicted(block)

  override def left(block: K): Unit = {
    lineage.synchronized(lineage.get(block).foreach(lineage.left))
    order.left(block)
  }

  override def written(block: K): Unit = order.written(block)

  override def erased(block: K): Unit = order.erased(block)

  override def referenced(pending: Map[Int, Int]): Unit = order.referenced(pending)

  override def walk(more: K => Boolean): Unit = order.walk(more)

  override def isWorthReading(block: K): Boolean = order.isWorthReading(block)

  override def isWorth(newcomer: K, victims: Iterable[K]): Boolean =
    order.isWorth(newcomer, victims)
}
