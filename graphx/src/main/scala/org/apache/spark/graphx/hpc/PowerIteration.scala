package org.apache.spark.graphx.hpc

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.rdd.RDD
import org.apache.spark.storage.StorageLevel

/** Iterates a sparse product until no row has anything to send: one shuffle and one job for each iteration.
  *
  * When an iteration is complete, the state before it is unpersisted. Every tenth state stays until the next tenth is
  * complete, on two executors if there are two. If an executor is lost, Spark computes its part of the iterations since
  * that state again, at most ten, from the shuffles between them. These stay until the lineage is garbage, as in GraphX:
  * a task that asks for a removed shuffle would get no answer. A task is sent one iteration of the lineage, however many
  * there were: a shuffle separates it from those before.
  *
  * @param name what the job descriptions and the log call the computation
  */
private[hpc] final class PowerIteration(
    name: String,
    blocks: RDD[SparseBlock],
    initial: RDD[Array[Double]],
    step: Step
) extends Logging {
  import PowerIteration._

  private val context = blocks.context
  private var state = initial
  private var totals = Totals(0, Vector.empty, 0, 0)
  private var kept = Option.empty[RDD[Array[Double]]]
  private var persisted = Set.empty[RDD[Array[Double]]]

  /** Runs at least one iteration.
    *
    * @return the last state, persisted and complete, and its totals
    */
  def run(maximum: Int): (RDD[Array[Double]], Totals) =
    try {
      var iteration = 0
      while (iteration < maximum && (iteration == 0 || totals.senders > 0)) {
        iteration += 1
        val of = if (maximum == Int.MaxValue) "" else s" of $maximum"
        val which = s"$name: iteration $iteration$of"
        context.setJobDescription(which + told(iteration))
        advance(iteration)
        logInfo(
          s"$which, a change of ${totals.change} in sum, ${totals.senders} vertices go on"
        )
      }
      unpersistBut(Set(state))
      (state, totals)
    } catch {
      case failure: Throwable =>
        unpersistBut(Set.empty)
        throw failure
    }

  private def told(iteration: Int): String =
    if (iteration == 1) "" else f", after a change of ${totals.change}%.3g in sum"

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
    // With the driver's own, where no RDD's blocks are.
    if (iteration % KeptEvery == 0 && context.getExecutorMemoryStatus.size > 2)
      StorageLevel.MEMORY_AND_DISK_2
    else StorageLevel.MEMORY_AND_DISK

  /** Runs the iteration's job. */
  private def complete(before: RDD[Array[Double]], after: RDD[Array[Double]]): Totals = {
    val told = totalled(blocks, before, after, step)
    context.runJob(told, (of: Iterator[Totals]) => of.next()).reduce(_ + _)
  }
}

private[hpc] object PowerIteration {

  private val KeptEvery = 10

  // What tasks run stands here: an instance can't be sent to them.

  private def exchanged(
      blocks: RDD[SparseBlock],
      state: RDD[Array[Double]],
      step: Step
  ): RDD[(Int, Message)] = {
    val messages = blocks.zipPartitions(state) { (of, states) =>
      val from = TaskContext.getPartitionId()
      of.zip(states).flatMap { case (block, values) =>
        block.push(from, step.sent(block, values), step.width, step.merge) ++
          step.kept(block, values).map(own => from -> new Kept(own))
      }
    }
    SparseBlocks.exchange[Message](messages, blocks.getNumPartitions)
  }

  private def received(
      blocks: RDD[SparseBlock],
      sent: RDD[(Int, Message)],
      step: Step
  ): RDD[Array[Double]] =
    blocks.zipPartitions(sent) { (of, arriving) =>
      val messages = arriving.map(_._2).toVector
      val kept = messages.collectFirst { case own: Kept => own.state }
      val slices = messages.iterator.collect { case slice: Slice => slice }
      of.map(block => step.next(block, kept.orNull, block.gather(slices, step.width, step.merge)))
    }

  private def totalled(
      blocks: RDD[SparseBlock],
      before: RDD[Array[Double]],
      after: RDD[Array[Double]],
      step: Step
  ): RDD[Totals] =
    blocks.zipPartitions(before, after)((of, old, now) =>
      of.map(step.totals(_, old.next(), now.next()))
    )
}
