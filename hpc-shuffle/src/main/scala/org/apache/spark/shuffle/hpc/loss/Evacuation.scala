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

/** Moves the map outputs of an executor that is decommissioned to where they outlive it.
  *
  *  1. The driver is told of outputs that are published there, some at a time: if the executor is killed, the
  *     others are lost with it.
  *  1. The executor goes on serving what it has to those who know the old place.
  *  1. What can't be read stays, for Spark to send it to another executor; so does all that is left when
  *     the new place takes no more.
  *
  * @param tell tells the driver; gives those outputs that it doesn't know
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

  /** Moves what there is now; false if the driver didn't know some of it when it was told.
    *
    * The driver learns of an ended task by another way, and has to before this executor ends. What it
    * doesn't know the second time is of a task that nobody wants.
    */
  def move(): Boolean = synchronized {
    val again = unknown
    unknown = Nil
    unlessItFails(if (again.nonEmpty) tell(MovedOutputs(again)): Unit)
    moveNew()
    unknown.isEmpty
  }

  /** Moves what is new, and leaves it to the next `move` to tell the driver again. */
  def moveNew(): Unit = synchronized(unlessItFails(if (copies.isPossible) moveFound()))

  private def unlessItFails(step: => Unit): Unit =
    try step
    catch { case NonFatal(failure) => end(failure) }

  /** Shuffle and map task of each output that is here only. */
  def left: Seq[(Int, Long)] = own.outputs.filterNot(moved.contains)

  private def moveFound(): Unit = {
    val begun = System.nanoTime()
    val bytesBefore = counts.evacuatedBytes.getCount
    val found = left.filterNot(staying.contains).sorted
    if (found.nonEmpty) {
      val count = found.grouped(AtOnce).takeWhile(_ => !isOver).map(moveAtOnce).sum
      val millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)
      val copied = Utils.bytesToString(counts.evacuatedBytes.getCount - bytesBefore)
      logInfo(
        s"Moved $count map outputs to the global tier in $millis ms, for which $copied were " +
          s"copied; ${found.size - count} stay here"
      )
    }
  }

  /** Says how many were moved. */
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
        // Otherwise its shuffle was removed meanwhile.
        if (made.nonEmpty)
          logWarning(s"Map output $mapTaskId of shuffle $shuffle stays here: $failure")
        None
    }
  }

  private def end(failure: Throwable): Unit = if (!isOver) {
    isOver = true
    logWarning(s"No more map outputs are moved to the global tier, by this executor: $failure")
  }

  /** A shuffle is removed. */
  def forget(shuffle: Int): Unit = {
    Seq(moved, staying).foreach(_.removeIf(_._1 == shuffle))
    copies.forget(shuffle)
  }

  override def close(): Unit = copies.close()
}

private object Evacuation {
  // Each time the driver is told all executors ask it anew for the places of outputs.
  private val AtOnce = 128
}
