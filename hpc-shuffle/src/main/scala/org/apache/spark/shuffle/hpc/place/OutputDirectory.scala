package org.apache.spark.shuffle.hpc.place

import java.nio.file.{FileAlreadyExistsException, Files, NoSuchFileException, Path}
import java.util.concurrent.TimeUnit

import org.apache.commons.io.FileUtils
import org.apache.spark.internal.config.Hpc
import org.sparkhpc.tier.{DirectoryToken, Exposure}

/** The directory of one application on the shared file system. It has a subdirectory for each shuffle, in which the
  * shuffle's containers are.
  */
private[hpc] final class OutputDirectory(path: Path) {

  private def of(shuffle: Int): Path = path.resolve(s"shuffle-$shuffle")

  /** The path of a container. The shuffle's directory may not exist yet. */
  def container(shuffle: Int, executor: String, name: String): Path =
    of(shuffle).resolve(s"$executor-$name${OutputDirectory.Suffix}")

  /** The container that a map status names. */
  def container(place: OutputPlace): ContainerFile =
    ContainerFile(place.shuffle, container(place.shuffle, place.executor, place.container))

  /** Creates the directory of a shuffle. Throws an IOException if the application's directory is gone. */
  def make(shuffle: Int): Unit =
    try Files.createDirectory(of(shuffle)): Unit
    catch { case _: FileAlreadyExistsException => }

  /** Runs `made`, which creates something in the directory of a shuffle. Creates that directory if it is missing. */
  def in[A](shuffle: Int)(made: => A): A =
    try made
    catch {
      case _: NoSuchFileException =>
        make(shuffle)
        made
    }

  /** Makes a file a container by a second name (a hard link). The container stays when the first name is deleted. */
  def link(file: Path, shuffle: Int, executor: String, name: String): Unit =
    in(shuffle)(Files.createLink(container(shuffle, executor, name), file)): Unit

  def remove(shuffle: Int): Unit = remove(of(shuffle))

  def remove(): Unit = remove(path)

  /** Renames the directory before it is deleted, because a task that is being killed may still write there. */
  private def remove(directory: Path): Unit =
    if (Files.exists(directory)) {
      val removed = directory.resolveSibling(s"${directory.getFileName}.removed")
      FileUtils.deleteDirectory(Files.move(directory, removed).toFile)
    }
}

private[hpc] object OutputDirectory {
  private val Suffix = ".container"

  // A client of a shared file system may see a new file late, and the driver may be slow.
  private val TokenNanos = TimeUnit.SECONDS.toNanos(30)

  /** Opens the directory on an executor. Throws an IllegalStateException unless it is the one that the driver made. */
  def open(path: Path, token: String): OutputDirectory = {
    val isDrivers =
      DirectoryToken.within(TokenNanos, () => System.nanoTime(), Thread.sleep(_)) {
        tokenIn(path, token).isSeen
      }
    if (!isDrivers) {
      throw new IllegalStateException(
        s"${Hpc.SHUFFLE_DIRECTORY.key}: $path on this node isn't the driver's directory of that name " +
          s"(waited ${TimeUnit.NANOSECONDS.toSeconds(TokenNanos)} s for its token): write a directory " +
          s"that all nodes share, or ${Hpc.SHUFFLE_PLACEMENT.key}=fastest"
      )
    }
    // On this node the path may resolve to another directory.
    for (why <- Exposure.refusal(path.getParent))
      throw new IllegalStateException(s"${Hpc.SHUFFLE_DIRECTORY.key}: on this node $why")
    new OutputDirectory(path)
  }

  def tokenIn(path: Path, words: String): DirectoryToken =
    DirectoryToken(path.resolve("token"), words)
}
