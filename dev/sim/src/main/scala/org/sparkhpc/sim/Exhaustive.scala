package org.sparkhpc.sim

import scala.collection.mutable

import org.sparkhpc.retain.DiskSpeed
import org.sparkhpc.retain.trace.TraceBlock
import org.sparkhpc.retain.trace.TraceEvent._

/** The least that getting blocks back can take, whatever is evicted, written, kept or read back;
  * by trying everything, so for traces of a few blocks and requests only.
  */
final class Exhaustive(trace: Trace, memoryBytes: Long, maySpill: Boolean, speed: DiskSpeed) {
  import Exhaustive._

  private val known = mutable.HashMap.empty[(List[Step], State), Double]

  def nanos: Double = least(
    trace.events.toList.flatMap {
      case Requested(block, None) if trace.blocks.contains(block) => Some(Request(block))
      case Forgotten(rdd) => Some(Forget(rdd))
      case _ => None
    },
    State(Set.empty, Set.empty, Set.empty, Set.empty)
  )

  private def least(steps: List[Step], state: State): Double = steps match {
    case Nil => 0.0
    case step :: rest => known.getOrElseUpdate((steps, state), leastOf(step, rest, state))
  }

  private def leastOf(step: Step, rest: List[Step], state: State): Double = step match {
    case Forget(rdd) => least(rest, state.without(rdd))
    case Request(block) if state.forgotten(block.rdd) => least(rest, state)
    case Request(block) => request(block, rest, state)
    case Compute(block) =>
      val facts = trace.blocks(block)
      val again = if (state.computed(block)) facts.nanos.toDouble else 0.0
      val reads = facts.reads.filter(trace.blocks.contains).map { read =>
        if (state.forgotten(read.rdd)) Compute(read) else Request(read)
      }
      again + least(reads.toList ++ rest, state.copy(computed = state.computed + block))
    case Store(block) => store(block, rest, state)
  }

  private def request(block: TraceBlock, rest: List[Step], state: State): Double =
    if (state.inMemory(block)) {
      least(rest, state)
    } else if (state.onDisk(block)) {
      val read = speed.nanosToRead(trace.blocks(block).bytes)
      read + math.min(least(rest, state), least(Store(block) :: rest, state))
    } else {
      least(Compute(block) :: Store(block) :: rest, state)
    }

  private def store(block: TraceBlock, rest: List[Step], state: State): Double = {
    val stored = for {
      victims <- state.inMemory.subsets()
      if bytes(state.inMemory -- victims) + trace.blocks(block).bytes <= memoryBytes
      left = state.copy(inMemory = state.inMemory -- victims + block)
      cost <- written(victims, left, rest)
    } yield cost
    (stored ++ written(Set(block), state, rest)).min
  }

  /** The rest, for each choice of blocks that are written first. */
  private def written(out: Set[TraceBlock], state: State, rest: List[Step]): Iterator[Double] = {
    val choices = if (maySpill) (out -- state.onDisk).subsets() else Iterator(Set.empty[TraceBlock])
    choices.map { chosen =>
      chosen.toSeq.map(block => speed.nanosToWrite(trace.blocks(block).bytes)).sum +
        least(rest, state.copy(onDisk = state.onDisk ++ chosen))
    }
  }

  private def bytes(blocks: Set[TraceBlock]): Long = blocks.toSeq.map(trace.blocks(_).bytes).sum
}

private object Exhaustive {
  sealed trait Step
  final case class Request(block: TraceBlock) extends Step
  final case class Compute(block: TraceBlock) extends Step
  final case class Store(block: TraceBlock) extends Step
  final case class Forget(rdd: Int) extends Step

  final case class State(
      inMemory: Set[TraceBlock],
      onDisk: Set[TraceBlock],
      computed: Set[TraceBlock],
      forgotten: Set[Int]
  ) {
    def without(rdd: Int): State = copy(
      inMemory = inMemory.filter(_.rdd != rdd),
      onDisk = onDisk.filter(_.rdd != rdd),
      forgotten = forgotten + rdd
    )
  }
}
