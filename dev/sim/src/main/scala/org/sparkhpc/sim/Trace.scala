package org.sparkhpc.sim

import java.nio.file.{Files, Path}

import scala.collection.mutable

import org.sparkhpc.retain.trace.{TraceBlock, TraceEvent, TraceReader}
import org.sparkhpc.retain.trace.TraceEvent._

/** A recorded run: what tasks asked for, in order, and what each block took. */
final class Trace(val events: IndexedSeq[TraceEvent]) {

  /** By block; what a run computed again keeps what was seen first. */
  val blocks: Map[TraceBlock, BlockFacts] = {
    val bytes = events.collect { case Stored(block, bytes) => block -> bytes }.toMap
    events.reverseIterator.collect { case Computed(block, nanos, reads) =>
      block -> BlockFacts(bytes.getOrElse(block, 0L), nanos, reads)
    }.toMap
  }

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

/** @param nanos what computing it took, without what it reads */
final case class BlockFacts(bytes: Long, nanos: Long, reads: Seq[TraceBlock])

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
