package org.apache.spark.hpc.profile

import java.io.{ObjectInputStream, ObjectOutputStream}
import java.util.concurrent.atomic.AtomicIntegerArray

import org.apache.commons.lang3.SerializationUtils

import org.apache.spark.scheduler.AccumulableInfo
import org.apache.spark.util.{AccumulatorContext, AccumulatorMetadata, AccumulatorV2}
import org.sparkhpc.request.{LatencyBucket, RequestKind, Requests}

/** How often a task's thread was seen in each [[Purpose]] and [[Activity]], and how many requests of each
  * [[RequestKind]] were made for the task, by latency.
  *
  * The counts reach the driver with the other metrics of the task, and the event log keeps them with the task's end:
  * as an internal accumulable [[TaskProfile.Name]] whose update is `CELL=COUNT,...` without zeros. A cell is
  * `PURPOSE/ACTIVITY` or `KIND@BUCKET`, with the number of a [[LatencyBucket]]. The driver adds nothing up: whoever
  * reads the events does.
  */
private[spark] final class TaskProfile
    extends AccumulatorV2[(String, String), String]
    with Requests.Watcher {
  import TaskProfile._

  @transient @volatile private var counts = new AtomicIntegerArray(Cells.length)

  @transient private var unanswered = new Unanswered

  override def isZero: Boolean = used.isEmpty

  override def copy(): TaskProfile = {
    val made = new TaskProfile
    for (cell <- used) made.counts.set(cell, counts.get(cell))
    made
  }

  override def reset(): Unit = for (cell <- used) counts.set(cell, 0)

  override def add(seen: (String, String)): Unit = counts.incrementAndGet(sampleCell(seen)): Unit

  override def made(kind: RequestKind, nanos: Long): Unit =
    counts.incrementAndGet(firstCell(kind) + LatencyBucket.of(nanos)): Unit

  override def began(kind: RequestKind): Unit = unanswered.began(kind)

  override def ended(kind: RequestKind, nanos: Long): Unit = {
    unanswered.ended(kind)
    made(kind, nanos)
  }

  /** Counts that the task's thread was seen. If it waited for map outputs, that is a wait for one of the routes. */
  def saw(purpose: String, activity: String): Unit = {
    val isFetch = purpose == Purpose.ShuffleRead && FetchWaits(activity)
    add((purpose, if (isFetch) unanswered.activity.getOrElse(activity) else activity))
  }

  override def merge(other: AccumulatorV2[(String, String), String]): Unit = ()

  override def value: String =
    used.map(cell => s"${Cells(cell)}=${counts.get(cell)}").mkString(",")

  private[spark] override def toInfo(update: Option[Any], value: Option[Any]): AccumulableInfo =
    AccumulableInfo(id, name, update, None, internal = true, countFailedValues = true)

  // An executor's heartbeat can see the profile before it is completely deserialized.
  private def used: Iterator[Int] =
    if (counts == null) Iterator.empty
    else Cells.indices.iterator.filter(counts.get(_) > 0)

  // Most cells of a task are 0, and each task's profile is sent to the driver.
  private def writeObject(out: ObjectOutputStream): Unit = {
    out.defaultWriteObject()
    val cells = used.map(cell => (cell, counts.get(cell))).toSeq
    out.writeShort(cells.size)
    for ((cell, count) <- cells) {
      out.writeShort(cell)
      out.writeInt(count)
    }
  }

  private def readObject(in: ObjectInputStream): Unit = {
    in.defaultReadObject()
    val read = new AtomicIntegerArray(Cells.length)
    for (_ <- 1 to in.readShort()) read.set(in.readShort().toInt, in.readInt())
    counts = read
    unanswered = new Unanswered
  }
}

private[spark] object TaskProfile {

  val Name = "spark.hpc.profile"

  // Spark counts ids up from 0. The ids of an application's own accumulators stay as they are in stock Spark.
  private val Id = -42L

  // What a thread is seen to do while it waits for map outputs.
  private val FetchWaits = Set(Activity.Network, Activity.Wait)

  private val samples = for (purpose <- Purpose.all; activity <- Activity.all)
    yield (purpose, activity)

  private val sampleCell: Map[(String, String), Int] = samples.zipWithIndex.toMap

  private val firstCell: Map[RequestKind, Int] = RequestKind.all.zipWithIndex.map {
    case (kind, at) => kind -> (samples.size + at * LatencyBucket.Number)
  }.toMap

  private val Cells: Array[String] = {
    val requests =
      for (kind <- RequestKind.all; bucket <- 0 until LatencyBucket.Number)
        yield s"${kind.name}@$bucket"
    (samples.map { case (purpose, activity) => s"$purpose/$activity" } ++ requests).toArray
  }

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
