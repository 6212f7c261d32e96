package org.sparkhpc.sim

import java.nio.file.{Files, Path}

import scala.collection.mutable

import org.sparkhpc.retain.trace.{TraceBlock, TraceEvent, TraceReader}
import org.sparkhpc.retain.trace.TraceEvent._

/** A recorded run: what tasks asked for, in order, and what each block took. */
final class Trace(recorded: IndexedSeq[TraceEvent]) {

  /** What was recorded, without the requests of blocks that the run computed again: a replay makes its own. */
  val events: IndexedSeq[TraceEvent] = {
    val computed = mutable.HashSet.empty[TraceBlock]
    recorded.filter {
      case Requested(_, Some(reader)) => !computed(reader)
      case Computed(block, _, _) =>
        computed += block
        true
      case _ => true
    }
  }

  /** By block, the most that it asked for while it was put into memory. */
  private lazy val asked: collection.Map[TraceBlock, Long] = {
    val now, most = mutable.HashMap.empty[TraceBlock, Long].withDefaultValue(0L)
    recorded.foreach {
      case Needed(Some(block), asked, _) => now(block) += asked
      case Stored(block, _) => most(block) = math.max(most(block), now.remove(block).getOrElse(0L))
      case Computed(block, _, _) => now.remove(block)
      case ReadBack(block) => now.remove(block)
      case _ =>
    }
    most
  }

  /** By block; what a run computed again keeps what was seen first. */
  val blocks: Map[TraceBlock, BlockFacts] = {
    val bytes = events.collect { case Stored(block, bytes) => block -> bytes }.toMap
    events.reverseIterator.collect { case Computed(block, nanos, reads) =>
      val its = bytes.getOrElse(block, 0L)
      block -> BlockFacts(its, nanos, reads, most = math.max(its, asked.getOrElse(block, 0L)))
    }.toMap
  }

  /** The memory for cached blocks in the run; None in a trace that was made otherwise. */
  lazy val memoryBytes: Option[Long] = events.collectFirst { case Memory(bytes) => bytes }

  /** The most that was ever in memory at once, had nothing been evicted. */
  lazy val peakBytes: Long = {
    val live = mutable.HashMap.empty[Int, mutable.HashMap[TraceBlock, Long]]
    var now = 0L
    var peak = 0L
    events.foreach {
      case Stored(block, bytes) =>
        val before = live.getOrElseUpdate(block.rdd, mutable.HashMap.empty).put(block, bytes)
        now += bytes - before.getOrElse(0L)
        peak = math.max(peak, now)
      case Forgotten(rdd) => now -= live.remove(rdd).fold(0L)(_.valuesIterator.sum)
      case _ =>
    }
    peak
  }

  /** What the run itself did, without times: a trace doesn't have those of the disk. */
  lazy val asItRan: Costs = {
    def bytes(block: TraceBlock): Long = blocks.get(block).fold(0L)(_.bytes)
    val seen = mutable.HashSet.empty[TraceBlock]
    events.foldLeft(Costs()) { (costs, event) =>
      event match {
        case Computed(block, _, _) if !seen.add(block) =>
          costs.copy(computedAgain = costs.computedAgain + 1)
        case Evicted(_) => costs.copy(evictions = costs.evictions + 1)
        case Written(block) => costs.copy(bytesWritten = costs.bytesWritten + bytes(block))
        case ReadBack(block) => costs.copy(bytesRead = costs.bytesRead + bytes(block))
        case _ => costs
      }
    }
  }
}

/** @param nanos what computing it took, without what it reads
  * @param most the most memory that it had while it was put there
  */
final case class BlockFacts(bytes: Long, nanos: Long, reads: Seq[TraceBlock], most: Long = 0)

object Trace {

  /** Reads a file; `warn` is told when its end is missing. */
  def read(file: Path, warn: String => Unit): Trace = {
    val in = Files.newInputStream(file)
    try {
      val reader = new TraceReader(in)
      val events = reader.toVector
      if (!reader.isWhole) warn(s"$file has no end: its executor was killed, perhaps")
      new Trace(events)
    } finally in.close()
  }
}
