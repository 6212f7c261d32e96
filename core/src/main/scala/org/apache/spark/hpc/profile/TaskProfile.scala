package org.apache.spark.hpc.profile

import java.util.concurrent.atomic.AtomicIntegerArray

import org.apache.commons.lang3.SerializationUtils

import org.apache.spark.scheduler.AccumulableInfo
import org.apache.spark.util.{AccumulatorContext, AccumulatorMetadata, AccumulatorV2}

/** How often a task's thread was seen in each [[Purpose]] and [[Activity]].
  *
  * The counts reach the driver with the other metrics of the task, and the event log keeps them with the task's end:
  * as an internal accumulable [[TaskProfile.Name]] whose update is `PURPOSE/ACTIVITY=COUNT,...` without zeros. The
  * driver adds nothing up: whoever reads the events does.
  */
private[spark] final class TaskProfile extends AccumulatorV2[(String, String), String] {
  import TaskProfile._

  private val counts = new AtomicIntegerArray(Cells.length)

  override def isZero: Boolean = Cells.indices.forall(counts.get(_) == 0)

  override def copy(): TaskProfile = {
    val made = new TaskProfile
    for (cell <- Cells.indices) made.counts.set(cell, counts.get(cell))
    made
  }

  override def reset(): Unit = for (cell <- Cells.indices) counts.set(cell, 0)

  override def add(seen: (String, String)): Unit = counts.incrementAndGet(cellOf(seen)): Unit

  override def merge(other: AccumulatorV2[(String, String), String]): Unit = ()

  override def value: String =
    Cells.indices.filter(counts.get(_) > 0).map(cell =>
      s"${Cells(cell)}=${counts.get(cell)}"
    ).mkString(",")

  private[spark] override def toInfo(update: Option[Any], value: Option[Any]): AccumulableInfo =
    AccumulableInfo(id, name, update, None, internal = true, countFailedValues = true)
}

private[spark] object TaskProfile {

  val Name = "spark.hpc.profile"

  // Spark counts ids up from 0. The ids of an application's own accumulators stay as they are in stock Spark.
  private val Id = -42L

  private val keys = for (purpose <- Purpose.all; activity <- Activity.all)
    yield (purpose, activity)

  private val cellOf: Map[(String, String), Int] = keys.zipWithIndex.toMap

  private val Cells: Array[String] = keys.map { case (purpose, activity) =>
    s"$purpose/$activity"
  }.toArray

  private val original: TaskProfile = {
    val made = new TaskProfile
    made.metadata = AccumulatorMetadata(Id, Some(Name), countFailedValues = true)
    made
  }

  /** Registers the accumulator in this process. On the driver, Spark then accepts the profiles of tasks. */
  def register(): Unit = AccumulatorContext.register(original)

  /** A profile for the task of the calling thread, in the task's metrics. */
  def ofTask(): TaskProfile = {
    register()
    // Spark sends an accumulator to the driver only if it was deserialized on the executor. This also adds it to the
    // task's metrics.
    SerializationUtils.clone(original)
  }
}
