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
import org.sparkhpc.container.{Block, ContainerWriter, Visibility}
import org.sparkhpc.tier.Tier

/** Puts map outputs of an executor's own scratch into the application's directory in a global tier, where they outlive
  * the executor.
  *
  *  1. An output that is copied is verified while it is read.
  *  1. A container that is already in that tier isn't copied but gets a second name in the directory, unless outputs
  *     must be synchronized to the device.
  *  1. An executor writes to the directory only if it has proven that the directory is the driver's.
  *
  * @param tier the global tier, once it is proven
  * @param visibility when other nodes see the outputs of a container that is made now
  */
private[hpc] final class GlobalCopies(
    files: ContainerFiles,
    directory: => OutputDirectory,
    tier: => Option[Tier],
    visibility: => Visibility,
    executor: => BlockManagerId,
    counts: RouteCounts
) extends Closeable {

  private val copies =
    new OwnContainers(new GlobalPlaces(directory, visibility, executor.executorId))
  private val names = new ConcurrentHashMap[ContainerFile, Option[String]]

  /** Whether there is a proven global tier. */
  def isPossible: Boolean = tier.nonEmpty

  /** Puts an output into the directory and returns its place. Throws a Refusal if the tier takes no more, and another
    * IOException if the output can't be read or its shuffle was removed.
    */
  def put(mapTaskId: Long, made: OwnContainers.Made): OutputPlace = {
    val isThere =
      !visibility.isForced && tier.exists(its => made.file.path.startsWith(its.directory.toPath))
    val linked = if (isThere) names.computeIfAbsent(made.file, _ => link(made)) else None
    val name = linked.getOrElse(copy(mapTaskId, made.file))
    OutputPlace(executor.executorId, made.file.shuffle, name, executor.host, executor.port)
  }

  /** Gives a container a second name. None if the file system can't do that. */
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

  /** Called when a shuffle is removed. The driver deletes its files. */
  def forget(shuffle: Int): Unit = {
    names.keySet.removeIf(_.shuffle == shuffle)
    copies.forget(shuffle)
  }

  override def close(): Unit = copies.close()
}
