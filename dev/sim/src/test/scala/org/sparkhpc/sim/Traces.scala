package org.sparkhpc.sim

import org.scalacheck.Gen

import org.sparkhpc.retain.trace.{TraceBlock, TraceEvent}
import org.sparkhpc.retain.trace.TraceEvent._

/** Traces for tests. */
object Traces {

  /** Loops, `times` over blocks of one RDD of a partition each, of so many bytes and nanoseconds. */
  def loop(blocks: Int, times: Int, bytes: Long, nanos: Long): Trace = {
    val all = (0 until blocks).map(TraceBlock(_, 0))
    val facts = all.flatMap(block => made(block, bytes, nanos))
    new Trace(facts ++ Seq.fill(times)(all.map(Requested)).flatten)
  }

  /** Generations of which each reads the last one twice and the last one is unpersisted, as in GraphX;
    * the blocks of `base` are read by each.
    */
  def generations(count: Int, bytes: Long, nanos: Long): Trace = {
    val base = TraceBlock(0, 0)
    val later = (1 to count).flatMap { number =>
      val reads = if (number == 1) Seq(base) else Seq.fill(2)(TraceBlock(number - 1, 0)) :+ base
      made(TraceBlock(number, 0), bytes, nanos, reads) ++
        Seq(Requested(TraceBlock(number, 0))) ++
        (if (number > 2) Seq(Forgotten(number - 2)) else Nil)
    }
    new Trace((made(base, bytes, nanos) ++ later).toIndexedSeq)
  }

  def made(
      block: TraceBlock,
      bytes: Long,
      nanos: Long,
      reads: Seq[TraceBlock] = Nil
  ): Seq[TraceEvent] = Seq(Stored(block, bytes), Computed(block, nanos, reads))

  /** A few blocks that read earlier ones, and requests among which RDDs are unpersisted. */
  val small: Gen[Trace] = for {
    blocks <- Gen.choose(2, 4)
    facts <- Gen.sequence[Seq[Seq[TraceEvent]], Seq[TraceEvent]]((0 until blocks).map { rdd =>
      for {
        bytes <- Gen.choose(1L, 3L)
        nanos <- Gen.choose(0L, 40L)
        reads <- Gen.someOf((0 until rdd).map(TraceBlock(_, 0)))
      } yield made(TraceBlock(rdd, 0), bytes, nanos, reads)
    })
    requests <- Gen.listOfN(
      7,
      Gen.frequency(
        6 -> Gen.choose(0, blocks - 1).map(rdd => Requested(TraceBlock(rdd, 0))),
        1 -> Gen.choose(0, blocks - 1).map(Forgotten)
      )
    )
  } yield new Trace((facts.flatten ++ requests).toIndexedSeq)
}
