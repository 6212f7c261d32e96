package org.apache.spark.shuffle.hpc.loss

import java.io.{Closeable, IOException}
import java.util.concurrent.{ConcurrentHashMap, TimeUnit}

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.shuffle.{MovedOutput, MovedOutputs}
import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.OwnContainers
import org.apache.spark.util.{ThreadUtils, Utils}
import org.sparkhpc.container.ContainerWriter

/** Moves the map outputs of a decommissioned executor to a tier where they outlive it.
  *
  *  1. Outputs are moved in batches, and each batch is reported to the driver once it is published there. If the
  *     executor is killed, only the outputs that weren't reported are lost.
  *  1. The executor continues to serve its outputs to readers that know the old place.
  *  1. An output that can't be read stays, and Spark sends it to another executor. When the tier takes no more, all
  *     remaining outputs stay.
  *
  * @param tell reports outputs to the driver and returns those that the driver doesn't know
  */
private[hpc] final class Evacuation(
    own: OwnContainers,
    copies: GlobalCopies,
    threads: Int,
    counts: RouteCounts,
    tell: MovedOutputs => Seq[MovedOutput]
) extends Closeable
    with Logging {
  import Evacuation._

  private val moved, staying = ConcurrentHashMap.newKeySet[(Int, Long)]()
  private var unknown = Seq.empty[MovedOutput]
  @volatile private var isOver = false

  /** Moves all outputs that there are now. False if the driver didn't know some of them.
    *
    * The driver learns by another message that a task has ended, and must learn it before this executor ends. An output
    * that the driver still doesn't know when it is reported again belongs to a task that nobody needs.
    */
  def move(): Boolean = synchronized {
    val again = unknown
    unknown = Nil
    unlessItFails(if (again.nonEmpty) tell(MovedOutputs(again)): Unit)
    moveNew(): Unit
    unknown.isEmpty
  }

  /** Moves new outputs, and returns those that can't be moved. The next `move` reports those again that the driver
    * doesn't know.
    *
    * An output that a task publishes during this call isn't returned, since nothing has tried to move it: the next call
    * does.
    */
  def moveNew(): Seq[(Int, Long)] = synchronized {
    val found = left
    unlessItFails(if (copies.isPossible) moveAll(found.filterNot(staying.contains)))
    found.filterNot(moved.contains)
  }

  private def unlessItFails(step: => Unit): Unit =
    try step
    catch { case NonFatal(failure) => end(failure) }

  /** Shuffle and map task of each output that only this executor has. */
  def left: Seq[(Int, Long)] = own.outputs.filterNot(moved.contains)

  private def moveAll(found: Seq[(Int, Long)]): Unit = {
    val begun = System.nanoTime()
    val bytesBefore = counts.evacuatedBytes.getCount
    if (found.nonEmpty) {
      val count = found.sorted.grouped(AtOnce).takeWhile(_ => !isOver).map(moveAtOnce).sum
      val millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)
      val copied = Utils.bytesToString(counts.evacuatedBytes.getCount - bytesBefore)
      logInfo(
        s"Moved $count map outputs to the global tier in $millis ms, for which $copied were " +
          s"copied; ${found.size - count} stay here"
      )
    }
  }

  /** Moves a batch of outputs, and returns how many were moved. */
  private def moveAtOnce(some: Seq[(Int, Long)]): Int = {
    val there = ThreadUtils.parmap(some, "spark-hpc-evacuate", threads)(put).flatten.toList
    if (there.nonEmpty) unknown ++= tell(MovedOutputs(there))
    there.foreach(output => moved.add((output.shuffle, output.mapTaskId)))
    counts.evacuatedOutputs.inc(there.size.toLong)
    there.size
  }

  private def put(output: (Int, Long)): Option[MovedOutput] = {
    val (shuffle, mapTaskId) = output
    def made = own.containerOf(shuffle, mapTaskId)
    try
      if (isOver) None
      else made.map(its => MovedOutput(shuffle, mapTaskId, copies.put(mapTaskId, its).marker))
    catch {
      case refusal: ContainerWriter.Refusal =>
        end(refusal)
        None
      case failure: IOException =>
        staying.add(output)
        // If there is none any more, its shuffle was removed meanwhile.
        if (made.nonEmpty)
          logWarning(s"Cannot move map output $mapTaskId of shuffle $shuffle: $failure")
        None
    }
  }

  private def end(failure: Throwable): Unit = if (!isOver) {
    isOver = true
    logWarning(s"No more map outputs are moved to the global tier by this executor: $failure")
  }

  /** Called when a shuffle is removed. */
  def forget(shuffle: Int): Unit = {
    Seq(moved, staying).foreach(_.removeIf(_._1 == shuffle))
    copies.forget(shuffle)
  }

  override def close(): Unit = copies.close()
}

private object Evacuation {
  // After each report to the driver, all executors ask it again for the places of outputs.
  private val AtOnce = 128
}
