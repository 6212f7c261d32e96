package org.sparkhpc.retain

import java.util.{Comparator, TreeSet}

import scala.collection.mutable.ArrayBuffer

/** Evicts first the block whose eviction costs least per byte: the time to write it now, unless it is on disk,
  * plus the time to read it or compute it again as often as it will be requested.
  *
  * The order is that of GreedyDual-Size (P. Cao, S. Irani: Cost-Aware WWW Proxy Caching Algorithms, USITS 1997),
  * which ages blocks: a block's rank is its cost per byte at its last use, plus the rank of the last victim
  * before. Blocks of equal cost per byte are evicted in the order of use.
  *
  * The number of future requests is learned from blocks whose lineage looks alike ([[Kinds]]), or comes from the
  * driver. A block that comes back from disk, or that is computed only to recover another one, doesn't evict
  * blocks that are worth as much.
  *
  * @param maySpill whether a block may be written to disk at all; called under locks
  */
final class CostAware[K](names: BlockNames[K], speed: DiskSpeed, maySpill: K => Boolean)
    extends RetentionPolicy[K] {
  import CostAware._

  private val lineage = new Lineage[K](names, known => if (known.inMemory) place(known))
  private val recomputing = new Recomputing[K](lineage, names, speed)
  private val byRank = new TreeSet[Known[K]](
    Comparator.comparingDouble[Known[K]](_.rank).thenComparingLong(_.touched)
  )
  private val kinds = new Kinds
  private var pending: Option[Map[Int, Int]] = None
  private var lastVictim = 0.0
  private var touches = 0L

  override def isObserver: Boolean = true

  override def wantsCost(block: K): Boolean = true

  override def wantsReferences: Boolean = true

  override def requested(block: K, reader: Option[K]): Unit = synchronized {
    val known = lineage.of(block)
    // A block that is computed again requests its inputs again, which says nothing about the program.
    if (!reader.flatMap(lineage.get).exists(_.order > 0)) known.requests += 1
    known.isRecovery = reader.nonEmpty && known.order > 0 && !known.isAvailable
  }

  override def computed(block: K, nanos: Long, reads: Seq[K]): Unit =
    synchronized(lineage.computed(block, nanos, reads))

  override def stored(block: K, bytes: Long): Unit = synchronized {
    val known = lineage.of(block)
    if (known.inMemory) byRank.remove(known)
    known.bytes = bytes
    known.isRecovery = false
    moveTo(known, inMemory = true, onDisk = known.onDisk)
    touch(known)
  }

  override def used(block: K): Unit = synchronized {
    for (known <- lineage.get(block) if known.inMemory) {
      byRank.remove(known)
      touch(known)
    }
  }

  override def evicted(block: K): Unit = synchronized {
    for (known <- lineage.get(block) if known.inMemory)
      lastVictim = math.max(lastVictim, known.rank)
  }

  override def left(block: K): Unit = synchronized {
    for (known <- lineage.get(block) if known.inMemory) {
      byRank.remove(known)
      moveTo(known, inMemory = false, onDisk = known.onDisk)
    }
  }

  override def end(): Unit = synchronized {
    byRank.clear()
    lineage.clear()
  }

  override def written(block: K): Unit = onDisk(block, isThere = true)

  override def erased(block: K): Unit = onDisk(block, isThere = false)

  private def onDisk(block: K, isThere: Boolean): Unit = synchronized {
    for (known <- lineage.get(block)) {
      moveTo(known, known.inMemory, isThere)
      if (known.inMemory) place(known)
    }
  }

  override def referenced(pending: Map[Int, Int]): Unit = synchronized {
    val before = this.pending.getOrElse(Map.empty)
    this.pending = Some(pending)
    for {
      rdd <- before.keySet ++ pending.keySet if before.get(rdd) != pending.get(rdd)
      known <- lineage.ofRdd(rdd) if known.inMemory
    } place(known)
  }

  override def forgotten(rdd: Int): Unit = synchronized {
    lineage.ofRdd(rdd).foreach { known =>
      if (known.inMemory) byRank.remove(known)
      kinds.ended(known, rdd)
    }
    lineage.forget(rdd)
  }

  override def walk(more: K => Boolean): Unit = synchronized {
    val all = byRank.iterator
    while (all.hasNext && more(all.next().block)) {}
  }

  override def isWorthReading(block: K, room: Long): Boolean = synchronized {
    lineage.get(block).forall { known =>
      var free = room
      val victims = new ArrayBuffer[K]
      walk { victim =>
        if (free < known.bytes) {
          victims += victim
          free += lineage.of(victim).bytes
        }
        free < known.bytes
      }
      victims.isEmpty || isWorth(block, victims)
    }
  }

  override def isWorth(newcomer: K, victims: Iterable[K]): Boolean = synchronized {
    lineage.get(newcomer).filter(known => known.onDisk || known.isRecovery).forall { known =>
      val others = victims.flatMap(lineage.get(_))
      val bytes = others.map(_.bytes).sum
      val worth = others.map(other => math.max(0.0, other.rank - lastVictim) * other.bytes).sum
      worthOf(known) * bytes > worth
    }
  }

  override def isWorthWriting(block: K): Boolean = synchronized {
    lineage.get(block).forall(isWorthWriting(_))
  }

  override def isWorthWriting(block: K, soFar: SoFar[K]): Boolean =
    synchronized(!recomputing.isCheaper(block, soFar))

  private def isWorthWriting(known: Known[K]): Boolean =
    known.order == 0 || !recomputing.isCheaper(known) &&
      kinds.chanceOfMore(known).forall(_ * known.again > toWrite(known))

  private def toWrite(known: Known[K]): Double =
    speed.nanosToWrite(known.bytes, names.rdd(known.block))

  private def moveTo(known: Known[K], inMemory: Boolean, onDisk: Boolean): Unit = {
    val before = known.isAvailable
    known.inMemory = inMemory
    known.onDisk = onDisk
    if (known.isAvailable != before) lineage.moved(known)
  }

  private def touch(known: Known[K]): Unit = {
    touches += 1
    known.touched = touches
    known.floor = lastVictim
    known.rank = known.floor + worthOf(known)
    byRank.add(known): Unit
  }

  /** Ranks a block again whose worth changed although it wasn't used. */
  private def place(known: Known[K]): Unit = {
    byRank.remove(known)
    known.rank = known.floor + worthOf(known)
    byRank.add(known): Unit
  }

  /** What evicting the block costs now and is likely to cost later, per byte. */
  private def worthOf(known: Known[K]): Double = {
    val cost =
      if (known.onDisk || maySpill(known.block) && isWorthWriting(known))
        (if (known.onDisk) 0.0 else toWrite(known)) +
          uses(known) * speed.nanosToRead(known.bytes, names.rdd(known.block))
      else if (known.order > 0) uses(known) * known.again
      else Lineage.MaxCost
    math.min(cost, Lineage.MaxCost) / math.max(1L, known.bytes)
  }

  /** The expected number of future requests of the block. */
  private def uses(known: Known[K]): Double = {
    val expected = (kinds.expected(known), pending) match {
      case (Some(requests), _) => math.max(requests, Ending)
      case (None, Some(counts)) =>
        counts.get(names.rdd(known.block)).fold(Unreferenced)(_.toDouble)
      case (None, None) => math.max(known.requests, 1).toDouble
    }
    math.min(expected, MaxRequests)
  }
}

private object CostAware {

  /** More requests than this don't make a block worth more. */
  private val MaxRequests = 16.0

  /** The least number of uses of a block whose kind is known. If blocks of its kind weren't requested again, they
    * were unpersisted soon, which frees memory at no cost: so the block is no better victim than one that will be
    * read once.
    */
  private val Ending = 1.0

  /** The uses of a block that no running job will read, if no block of its kind was ever unpersisted. */
  private val Unreferenced = 1.0 / 32
}
