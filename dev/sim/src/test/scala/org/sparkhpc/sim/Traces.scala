package org.sparkhpc.sim

import scala.collection.mutable

import org.scalacheck.Gen

import org.sparkhpc.retain.trace.{TraceBlock, TraceEvent}
import org.sparkhpc.retain.trace.TraceEvent._

/** Traces for tests. */
object Traces {

  /** Loops, `times` over blocks of one RDD of a partition each, of so many bytes and nanoseconds. */
  def loop(blocks: Int, times: Int, bytes: Long, nanos: Long): Trace = {
    val all = (0 until blocks).map(TraceBlock(_, 0))
    val facts = all.map(_ -> BlockFacts(bytes, nanos, Nil)).toMap
    run(facts, Seq.fill(times)(all.map(Requested(_))).flatten)
  }

  /** Generations of which each reads the last one twice and the last one is unpersisted, as in GraphX;
    * the blocks of `base` are read by each.
    */
  def generations(count: Int, bytes: Long, nanos: Long): Trace = {
    val base = TraceBlock(0, 0)
    val later = (1 to count).map { number =>
      val reads = if (number == 1) Seq(base) else Seq.fill(2)(TraceBlock(number - 1, 0)) :+ base
      TraceBlock(number, 0) -> BlockFacts(bytes, nanos, reads)
    }
    val steps = (1 to count).flatMap { number =>
      Requested(TraceBlock(number, 0)) +: (if (number > 2) Seq(Forgotten(number - 2)) else Nil)
    }
    run((later :+ (base -> BlockFacts(bytes, nanos, Nil))).toMap, steps)
  }

  /** A few blocks that read earlier ones, and requests among which RDDs are unpersisted. */
  val small: Gen[Trace] = for {
    blocks <- Gen.choose(2, 4)
    facts <- Gen.sequence[Seq[(TraceBlock, BlockFacts)], (TraceBlock, BlockFacts)](
      (0 until blocks).map { rdd =>
        for {
          bytes <- Gen.choose(1L, 3L)
          nanos <- Gen.choose(0L, 40L)
          reads <- Gen.someOf((0 until rdd).map(TraceBlock(_, 0)))
        } yield TraceBlock(rdd, 0) -> BlockFacts(bytes, nanos, reads.toList)
      }
    )
    steps <- Gen.listOfN(
      7,
      Gen.frequency(
        6 -> Gen.choose(0, blocks - 1).map(rdd => Requested(TraceBlock(rdd, 0))),
        1 -> Gen.choose(0, blocks - 1).map(Forgotten)
      )
    )
  } yield run(facts.toMap, steps)

  /** The trace of a task for each request, one after the other, where all blocks fit in memory. */
  def run(facts: Map[TraceBlock, BlockFacts], steps: Seq[TraceEvent]): Trace = {
    val events = mutable.ArrayBuffer.empty[TraceEvent]
    val computed = mutable.HashSet.empty[TraceBlock]
    val forgotten = mutable.HashSet.empty[Int]

    def request(block: TraceBlock, reader: Option[TraceBlock]): Unit = {
      events += Requested(block, reader)
      if (computed.add(block)) {
        val (nanos, reads) = compute(block, block)
        events += Stored(block, facts(block).bytes)
        events += Computed(block, nanos, reads)
      }
    }

    // What isn't persisted is computed by its reader, which then reads what it is computed from.
    def compute(block: TraceBlock, reader: TraceBlock): (Long, Seq[TraceBlock]) = {
      val (gone, there) = facts(block).reads.partition(read => forgotten(read.rdd))
      there.foreach(request(_, Some(reader)))
      gone.map(compute(_, reader)).foldLeft((facts(block).nanos, there)) {
        case ((nanos, reads), (more, others)) => (nanos + more, reads ++ others)
      }
    }

    steps.foreach {
      case Requested(block, _) if !forgotten(block.rdd) =>
        val begin = events.size
        request(block, None)
        val read = events.drop(begin).collect { case Requested(block, _) => block }.distinct
        events ++= read.map(Released)
      case Forgotten(rdd) =>
        forgotten += rdd
        events += Forgotten(rdd)
      case _ =>
    }
    new Trace(events.toIndexedSeq)
  }
}
