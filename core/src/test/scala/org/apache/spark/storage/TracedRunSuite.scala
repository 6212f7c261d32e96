package org.apache.spark.storage

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import org.sparkhpc.retain.trace.TraceBlock
import org.sparkhpc.retain.trace.TraceEvent._

/** The trace of a run that is short of memory has what a replay needs. */
class TracedRunSuite extends AnyFunSuite with TracedRuns {
  import ShortOfMemory._

  private lazy val events = traced("spark.hpc.retention.policy" -> "lru") { sc =>
    val read = new Counted(sc)(_ => new Array[Byte](BlockBytes)).rdd
    read.count()
    press(sc)
    read.count()
  }

  test("how much memory there is, first and once") {
    assert(events.head == Memory(20L * BlockBytes))
    assert(events.tail.collect { case memory: Memory => memory }.isEmpty)
  }

  test("with what tasks and new blocks need, the blocks in memory never take more than there is") {
    val stored = mutable.Map.empty[TraceBlock, Long]
    var needed = 0L
    events.foreach {
      case Needed(_, _, bytes) => needed = bytes
      case Evicted(block) => stored -= block
      case Stored(block, bytes) =>
        stored(block) = bytes
        assert(stored.values.sum + needed <= 20L * BlockBytes)
      case _ =>
    }
    assert(stored.nonEmpty)
  }

  test("a new block asks for as much as it takes, at least") {
    val asked = mutable.Map.empty[TraceBlock, Long].withDefaultValue(0L)
    val kept = events.count {
      case Needed(Some(block), bytes, _) =>
        asked(block) += bytes
        false
      case Stored(block, bytes) =>
        assert(asked.remove(block).getOrElse(0L) >= bytes)
        true
      case _ => false
    }
    assert(kept >= Blocks)
  }

  test("each block that was requested is released") {
    val reading = mutable.Set.empty[TraceBlock]
    events.foreach {
      case Requested(block, _) => reading += block
      case Released(block) => reading -= block
      case _ =>
    }
    assert(reading.isEmpty)
  }

  test("how long each block took to write, and to read into memory") {
    val written = events.collect { case Written(block) => block }
    val wrote = events.collect { case Wrote(_, bytes, nanos) if bytes >= BlockBytes => nanos }
    assert(written.nonEmpty && wrote.nonEmpty && wrote.forall(_ > 0))
    val readBack = events.collect { case ReadBack(block) => block }
    val read = events.collect { case Read(_, bytes, _) => bytes }
    assert(readBack.nonEmpty && read.nonEmpty && read.forall(_ >= BlockBytes))
  }
}
