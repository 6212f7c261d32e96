package org.apache.spark.graphx.hpc

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.StorageLevel

/** Iterates a sparse product: one shuffle and one job for each iteration.
  *
  * When an iteration is complete, the state before it is unpersisted. Every tenth state stays until the next tenth is
  * complete, on two executors if there are two. If an executor is lost, Spark computes its part of the iterations since
  * that state again, at most ten, from the shuffles between them. These stay until the lineage is garbage, as in GraphX:
  * a task that asks for a removed shuffle would get no answer. A task is sent one iteration of the lineage, however many
  * there were: a shuffle separates it from those before.
  *
  * @param name what the job descriptions and the log call the computation
  */
private[hpc] final class PowerIteration(name: String, blocks: RDD[SparseBlock], step: Step)
    extends Logging {
  import PowerIteration._

  private val context = blocks.context
  private var state = begun(blocks, step)
  private var totals = Totals(0, 0, 0)
  private var kept = Option.empty[RDD[Array[Double]]]
  private var persisted = Set.empty[RDD[Array[Double]]]

  /** @return the state after so many iterations, persisted and complete, and its totals */
  def run(iterations: Int): (RDD[Array[Double]], Totals) =
    try {
      for (iteration <- 1 to iterations) {
        val which = s"$name: iteration $iteration of $iterations"
        context.setJobDescription(which + told(iteration))
        advance(iteration)
        logInfo(s"$which, the states changed by ${totals.change} in sum")
      }
      unpersistBut(Set(state))
      (state, totals)
    } catch {
      case failure: Throwable =>
        unpersistBut(Set.empty)
        throw failure
    }

  private def told(iteration: Int): String =
    if (iteration == 1) "" else f", the last one changed the states by ${totals.change}%.3g in sum"

  private def advance(iteration: Int): Unit = {
    val before = state
    state = received(blocks, exchanged(blocks, before, step), step).persist(level(iteration))
    persisted += state
    totals = complete(before, state)
    if (iteration % KeptEvery == 0) kept = Some(state)
    unpersistBut(kept.toSet + state)
  }

  private def unpersistBut(spared: Set[RDD[Array[Double]]]): Unit = {
    (persisted -- spared).foreach(_.unpersist())
    persisted &= spared
  }

  private def level(iteration: Int): StorageLevel =
    if (iteration % KeptEvery == 0 && context.getExecutorIds().size > 1)
      StorageLevel.MEMORY_AND_DISK_2
    else StorageLevel.MEMORY_AND_DISK

  /** Runs the iteration's job. */
  private def complete(before: RDD[Array[Double]], after: RDD[Array[Double]]): Totals = {
    val totals = before.zipPartitions(after)((old, now) => old.zip(now).map((Totals.of _).tupled))
    context.runJob(totals, (of: Iterator[Totals]) => of.next()).reduce(_ + _)
  }
}

private[hpc] object PowerIteration {

  /** The sending block and its values. */
  type Slice = (Int, Array[Double])

  private val KeptEvery = 10

  // What tasks run stands here: an instance can't be sent to them.

  private def begun(blocks: RDD[SparseBlock], step: Step): RDD[Array[Double]] =
    blocks.map(step.initial(_))

  private def exchanged(
      blocks: RDD[SparseBlock],
      state: RDD[Array[Double]],
      step: Step
  ): RDD[(Int, Slice)] = {
    val slices = blocks.zipPartitions(state) { (of, states) =>
      val from = TaskContext.getPartitionId()
      of.zip(states).flatMap { case (block, values) => block.push(step.sent(block, values)) }
        .map { case (to, slice) => to -> (from -> slice) }
    }
    SparseBlocks.exchange[Slice](slices, blocks.getNumPartitions)
  }

  private def received(
      blocks: RDD[SparseBlock],
      sent: RDD[(Int, Slice)],
      step: Step
  ): RDD[Array[Double]] =
    blocks.zipPartitions(sent) { (of, slices) =>
      of.map(block => step.next(block, block.gather(slices.map(_._2))))
    }

  /** @param change the sum of the differences between the old and the new state of each row */
  final case class Totals(rows: Long, sum: Double, change: Double) {
    def +(other: Totals): Totals =
      Totals(rows + other.rows, sum + other.sum, change + other.change)
  }

  object Totals {
    def of(before: Array[Double], after: Array[Double]): Totals = {
      var sum, change = 0.0
      var row = 0
      while (row < after.length) {
        sum += after(row)
        change += math.abs(after(row) - before(row))
        row += 1
      }
      Totals(after.length.toLong, sum, change)
    }
  }
}
