package org.apache.spark.shuffle.hpc

import java.io.ObjectInputStream
import java.util.concurrent.{ConcurrentHashMap, CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.{BarrierTaskContext, SparkContext, Success, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{SparkListener, SparkListenerStageCompleted, SparkListenerTaskEnd}
import org.apache.spark.util.AccumulatorV2

/** The order in which the scheduler hears how two tasks of a barrier stage's first attempt end: that
  * the first succeeds, and that the second fails. The success has left the executor before the second
  * fails, so no order to end can reach it.
  */
private[hpc] final class TaskRace(sc: SparkContext, isFailureFirst: Boolean) extends SparkListener {
  import TaskRace._

  private val successIsUnderWay = new CountDownLatch(1)
  private val successIsHandled = new CountDownLatch(1)
  private val failureIsHandled = new CountDownLatch(1)

  @volatile private var stage = -1

  private val id = ids.incrementAndGet()
  races.put(id, this)
  sc.addSparkListener(this)

  private val baton = new Baton(id)
  sc.register(baton)

  /** The elements with the attempt that saw them, where the second task of the first attempt ends by
    * `fail`.
    */
  def run(rdd: RDD[Int], fail: () => Unit): RDD[(Int, Int)] = {
    val (id, baton) = (this.id, this.baton)
    rdd.barrier().mapPartitions { numbers =>
      val context = BarrierTaskContext.get()
      val attempt = context.stageAttemptNumber()
      races.get(id).stage = context.stageId()
      context.barrier()
      if (attempt == 0 && context.partitionId() == 0) baton.add(())
      if (attempt == 0 && context.partitionId() == 1) {
        races.get(id).awaitSuccess()
        fail()
      }
      numbers.map((_, attempt))
    }
  }

  /** Called where the driver reads the success, before its scheduler hears of it. */
  private def holdSuccess(): Unit = {
    successIsUnderWay.countDown()
    if (isFailureFirst) await(failureIsHandled)
  }

  private def awaitSuccess(): Unit =
    await(if (isFailureFirst) successIsUnderWay else successIsHandled)

  override def onTaskEnd(end: SparkListenerTaskEnd): Unit =
    if (end.stageId == stage && end.reason == Success) successIsHandled.countDown()

  override def onStageCompleted(completed: SparkListenerStageCompleted): Unit =
    if (completed.stageInfo.stageId == stage && completed.stageInfo.failureReason.nonEmpty)
      failureIsHandled.countDown()
}

private[hpc] object TaskRace {
  private val ids = new AtomicInteger
  private val races = new ConcurrentHashMap[Int, TaskRace]

  private def await(latch: CountDownLatch): Unit =
    if (!latch.await(120, TimeUnit.SECONDS))
      throw new IllegalStateException("the other task didn't end")

  /** An accumulator, as it comes with a success, and is read by the driver on the success's way to the
    * scheduler.
    */
  private final class Baton(race: Int) extends AccumulatorV2[Unit, Unit] {
    private var isHeld = false

    override def isZero: Boolean = !isHeld
    override def copy(): Baton = {
      val copied = new Baton(race)
      copied.isHeld = isHeld
      copied
    }
    override def reset(): Unit = isHeld = false
    override def add(unit: Unit): Unit = isHeld = true
    override def merge(other: AccumulatorV2[Unit, Unit]): Unit = ()
    override def value: Unit = ()

    private def readObject(in: ObjectInputStream): Unit = {
      in.defaultReadObject()
      // Tasks read it, too.
      if (isHeld && TaskContext.get() == null) races.get(race).holdSuccess()
    }
  }
}
