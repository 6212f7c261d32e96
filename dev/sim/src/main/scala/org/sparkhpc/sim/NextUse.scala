package org.sparkhpc.sim

import scala.collection.mutable

import org.sparkhpc.retain.SimplePolicy
import org.sparkhpc.retain.trace.TraceBlock
import org.sparkhpc.retain.trace.TraceEvent._

/** First what will be read last, if ever, as L. A. Belady's MIN would have it (IBM Systems Journal 5,
  * 1966). It knows the whole trace, so no policy of an executor can do this; it is greedy, since
  * sizes and costs differ and what is written stays.
  */
final class NextUse(trace: Trace) extends SimplePolicy[TraceBlock] {

  // By block, the events at which it is read, if each is computed only once.
  private val readAt: Map[TraceBlock, Array[Int]] = {
    val reads = mutable.HashMap.empty[TraceBlock, mutable.ArrayBuilder[Int]]
    for ((Requested(block, _), at) <- trace.events.zipWithIndex)
      reads.getOrElseUpdate(block, new mutable.ArrayBuilder.ofInt) += at
    reads.iterator.map { case (block, at) => block -> at.result() }.toMap
  }

  private val forgottenAt = trace.events.zipWithIndex.collect { case (Forgotten(rdd), at) =>
    rdd -> at
  }.toMap
  private val inMemory = mutable.LinkedHashSet.empty[TraceBlock]
  private var now = 0

  /** The replay has come to an event. */
  def at(event: Int): Unit = now = event

  private def nextRead(block: TraceBlock): Int = {
    val reads = readAt.getOrElse(block, Array.emptyIntArray)
    val found = java.util.Arrays.binarySearch(reads, now + 1)
    val next = if (found >= 0) found else -found - 1
    if (next < reads.length && forgottenAt.get(block.rdd).forall(reads(next) < _)) reads(next)
    else Int.MaxValue
  }

  override def stored(block: TraceBlock, bytes: Long): Unit = inMemory += block

  override def used(block: TraceBlock): Unit = ()

  override def left(block: TraceBlock): Unit = inMemory -= block

  override def end(): Unit = inMemory.clear()

  override def walk(more: TraceBlock => Boolean): Unit =
    inMemory.toSeq.sortBy(nextRead)(Ordering[Int].reverse).iterator.takeWhile(more).foreach(_ => ())

  override def isWorth(newcomer: TraceBlock, victims: Iterable[TraceBlock]): Boolean =
    victims.forall(nextRead(_) >= nextRead(newcomer))

  override def isWorthReading(block: TraceBlock): Boolean =
    nextRead(block) != Int.MaxValue

  override def isWorthWriting(block: TraceBlock): Boolean = nextRead(block) != Int.MaxValue
}
