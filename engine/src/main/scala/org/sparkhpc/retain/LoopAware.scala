package org.sparkhpc.retain

/** Evicts first the block whose next request it expects last, as L. A. Belady's MIN would if it knew the future
  * (IBM Systems Journal 5, 1966).
  *
  * What it expects is what blocks of the same RDD, and of the same kind in earlier iterations of a loop, did after as
  * many requests ([[Steps]]). Without an earlier iteration, the order is that of the last use. A block that is
  * expected to be unpersisted without another request is evicted first, and not written, if writing it takes longer
  * than computing it again, times the chance that it is requested after all. Otherwise it is expected to leave memory
  * soon by itself.
  *
  * A block that takes less time to compute than to write and to read isn't written either ([[Recomputing]]).
  *
  * @param maySpill whether a block may be written to disk at all; called under locks
  */
final class LoopAware[K](names: BlockNames[K], speed: DiskSpeed, maySpill: K => Boolean)
    extends RetentionPolicy[K] {

  private val lineage = new Lineage[K](names, known => if (known.inMemory) place(known))
  private val recomputing = new Recomputing[K](lineage, names, speed)
  private val steps = new Steps
  private val order = new NextUses[K]
  private var now = 0L
  private var touches = 0L

  override def isObserver: Boolean = true

  override def wantsCost(block: K): Boolean = true

  override def wantsReferences: Boolean = false

  override def requested(block: K, reader: Option[K]): Unit = synchronized {
    val known = lineage.of(block)
    // A block that is computed again requests its inputs again, which says nothing about the program.
    if (!reader.flatMap(lineage.get).exists(_.order > 0)) {
      now += 1
      order.passed(now)
      if (known.requests > 0)
        steps.requestedAgain(known, names.rdd(block), now - known.last)
      if (known.inMemory) order.remove(known)
      known.requests += 1
      known.last = now
      known.isDead = false
      if (known.inMemory) insert(known)
    }
    known.isRecovery = reader.nonEmpty && known.order > 0 && !known.isAvailable
  }

  override def computed(block: K, nanos: Long, reads: Seq[K]): Unit = synchronized {
    lineage.computed(block, nanos, reads)
    lineage.get(block).filter(_.inMemory).foreach(place)
  }

  override def stored(block: K, bytes: Long): Unit = synchronized {
    val known = lineage.of(block)
    if (known.inMemory) order.remove(known)
    known.bytes = bytes
    known.isRecovery = false
    moveTo(known, inMemory = true, onDisk = known.onDisk)
    touch(known)
  }

  override def used(block: K): Unit = synchronized {
    for (known <- lineage.get(block) if known.inMemory) {
      order.remove(known)
      touch(known)
    }
  }

  override def evicted(block: K): Unit = ()

  override def left(block: K): Unit = synchronized {
    for (known <- lineage.get(block) if known.inMemory) {
      order.remove(known)
      moveTo(known, inMemory = false, onDisk = known.onDisk)
      lineage.left(known)
    }
  }

  override def end(): Unit = synchronized {
    order.clear()
    lineage.clear()
    steps.clear()
  }

  override def written(block: K): Unit = onDisk(block, isThere = true)

  override def erased(block: K): Unit = onDisk(block, isThere = false)

  private def onDisk(block: K, isThere: Boolean): Unit = synchronized {
    for (known <- lineage.get(block)) {
      moveTo(known, known.inMemory, isThere)
      if (known.inMemory) place(known)
    }
  }

  override def referenced(pending: Map[Int, Int]): Unit = ()

  override def forgotten(rdd: Int): Unit = synchronized {
    var wasDead = false
    lineage.ofRdd(rdd).foreach { known =>
      if (known.inMemory) order.remove(known)
      wasDead ||= known.isDead
      steps.ended(known, rdd, now - known.last)
    }
    steps.forget(rdd, wasDead)
    lineage.forget(rdd)
  }

  override def walk(more: K => Boolean): Unit = synchronized(order.walk(now)(more))

  /** True unless the block is expected to be unpersisted before it is requested again. */
  override def isWorthReading(block: K): Boolean = synchronized {
    lineage.get(block).forall(known => expectation(known).forall(!_.isInstanceOf[Steps.Ends]))
  }

  override def isWorth(newcomer: K, victims: Iterable[K]): Boolean = synchronized {
    lineage.get(newcomer).filter(known => known.onDisk || known.isRecovery).forall { known =>
      val its = nextUse(known, expectation(known))
      val next = if (its.isNaN) now.toDouble else its
      victims.flatMap(lineage.get(_)).forall(order.next(_, now) >= next)
    }
  }

  override def isWorthWriting(block: K): Boolean = synchronized {
    lineage.get(block).forall(isWorthWriting(_))
  }

  override def isWorthWriting(block: K, soFar: SoFar[K]): Boolean =
    synchronized(!recomputing.isCheaper(block, soFar))

  private def isWorthWriting(known: Known[K]): Boolean =
    known.order == 0 || !recomputing.isCheaper(known) && !isDroppable(known)

  /** Whether the block is expected to be unpersisted soon, and losing it would cost less than writing it. */
  private def isDroppable(known: Known[K]): Boolean = expectation(known).exists {
    case end: Steps.Ends => isCheapToLose(known, end)
    case _ => false
  }

  private def isCheapToLose(known: Known[K], end: Steps.Ends): Boolean =
    known.order > 0 && end.chance * known.again <= toWrite(known)

  private def toWrite(known: Known[K]): Double =
    speed.nanosToWrite(known.bytes, names.rdd(known.block))

  private def expectation(known: Known[K]): Option[Steps.Next] =
    steps.next(known, names.rdd(known.block))

  /** When the block is expected to be requested; NaN if that is unknown. */
  private def nextUse(known: Known[K], expected: Option[Steps.Next]): Double = expected match {
    case Some(Steps.Again(gap)) => known.last + gap
    case Some(end: Steps.Ends) if known.onDisk || isCheapToLose(known, end) =>
      Double.PositiveInfinity
    // It is expected to be gone by then, without a write.
    case Some(Steps.Ends(gap, _)) => known.last + gap
    case None => Double.NaN
  }

  private def moveTo(known: Known[K], inMemory: Boolean, onDisk: Boolean): Unit = {
    val before = known.isAvailable
    known.inMemory = inMemory
    known.onDisk = onDisk
    if (known.isAvailable != before) lineage.moved(known)
  }

  private def touch(known: Known[K]): Unit = {
    touches += 1
    known.touched = touches
    // A broadcast is used, but no task requests it here; nor does one what another executor sent.
    if (known.requests == 0) known.last = now
    insert(known)
  }

  /** Orders a block again whose expectation changed although it wasn't used. */
  private def place(known: Known[K]): Unit = {
    order.remove(known)
    insert(known)
  }

  private def insert(known: Known[K]): Unit = {
    // What can't be written is in the order of its last use, as in stock Spark.
    val expected = if (maySpill(known.block)) expectation(known) else None
    known.isDead = expected.exists(_.isInstanceOf[Steps.Ends])
    known.next = nextUse(known, expected)
    order.add(known)
  }
}
