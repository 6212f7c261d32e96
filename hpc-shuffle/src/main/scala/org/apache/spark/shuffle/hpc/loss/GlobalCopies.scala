package org.apache.spark.shuffle.hpc.loss

import java.io.{Closeable, IOException}
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.shuffle.hpc.metrics.RouteCounts
import org.apache.spark.shuffle.hpc.place.{
  ContainerFile,
  GlobalPlaces,
  OutputDirectory,
  OutputPlace,
  OwnContainers
}
import org.apache.spark.shuffle.hpc.read.ContainerFiles
import org.apache.spark.storage.BlockManagerId
import org.sparkhpc.container.{Block, ContainerWriter}
import org.sparkhpc.tier.Tier

/** Puts map outputs of an executor's own scratch to where they outlive it, in the application's directory
  * of a global tier.
  *
  *  1. What is copied is checked as it is read.
  *  1. A container that lies in that tier already gets a second name in the directory, and nothing of it is
  *     copied, unless outputs have to be on the device.
  *  1. Who writes to the directory has proven that it is the driver's.
  *
  * @param tier that one, once it is proven
  * @param forced whether other nodes see only what is on the device
  */
private[hpc] final class GlobalCopies(
    files: ContainerFiles,
    directory: => OutputDirectory,
    tier: => Option[Tier],
    forced: => Boolean,
    executor: => BlockManagerId,
    counts: RouteCounts
) extends Closeable {

  private val copies =
    new OwnContainers(new GlobalPlaces(directory, forced, executor.executorId))
  private lazy val isForced = forced
  private val names = new ConcurrentHashMap[ContainerFile, Option[String]]

  /** Whether there is such a tier. */
  def isPossible: Boolean = tier.nonEmpty

  /** Puts an output there, and says where; a Refusal if the tier takes no more, another IOException if the
    * output can't be read or isn't wanted any more.
    */
  def put(mapTaskId: Long, made: OwnContainers.Made): OutputPlace = {
    val isThere = !isForced && tier.exists(its => made.file.path.startsWith(its.directory.toPath))
    val linked = if (isThere) names.computeIfAbsent(made.file, _ => link(made)) else None
    val name = linked.getOrElse(copy(mapTaskId, made.file))
    OutputPlace(executor.executorId, made.file.shuffle, name, executor.host, executor.port)
  }

  /** None if the file system can't have two names for a file. */
  private def link(made: OwnContainers.Made): Option[String] = {
    val name = s"own${made.name}"
    val shuffle = made.file.shuffle
    try {
      directory.link(made.file.path, shuffle, executor.executorId, name)
      Some(name)
    } catch { case _: UnsupportedOperationException | _: IOException => None }
  }

  private def copy(mapTaskId: Long, from: ContainerFile): String = {
    val whole = files.reader(from, Block(mapTaskId, 0, 0))
    val lengths = whole.lengths(mapTaskId)
    val copied =
      try copies.begin(from.shuffle, lengths.length)
      catch {
        case refusal: ContainerWriter.Refusal => throw refusal
        case failure: IOException => throw new ContainerWriter.Refusal(failure.toString, failure)
      }
    try {
      copied.output.writeBlocks(whole.stream(Block(mapTaskId, 0, lengths.length)), lengths)
      copied.publish(mapTaskId, lengths)
    } finally copied.output.abandon()
    counts.evacuatedBytes.inc(lengths.sum)
    copies.containerOf(from.shuffle, mapTaskId).map(_.name).getOrElse {
      throw new IOException(s"Shuffle ${from.shuffle} is removed")
    }
  }

  /** A shuffle is removed, its files by the driver. */
  def forget(shuffle: Int): Unit = {
    names.keySet.removeIf(_.shuffle == shuffle)
    copies.forget(shuffle)
  }

  override def close(): Unit = copies.close()
}
