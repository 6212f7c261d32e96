package org.apache.spark.shuffle.hpc.place

import java.io.{File, IOException}
import java.nio.channels.ClosedByInterruptException
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import java.nio.file.StandardOpenOption.{APPEND, CREATE}
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicBoolean

import scala.collection.JavaConverters._
import scala.util.Try

import org.apache.spark.internal.Logging

/** Lists this executor's containers in a file of its local directory, for the other executors on the node.
  *
  * These know only the local directories of this executor, and read its containers without asking it. If the list of a
  * shuffle can't be written, they request all its outputs of that shuffle from it.
  */
private[hpc] final class NeighbourList(localDir: File) extends Logging {
  private val unlisted = ConcurrentHashMap.newKeySet[Int]()
  private val isSaid = new AtomicBoolean

  /** Must be called before any output in the container is reported. */
  def add(shuffle: Int, container: Path): Unit = synchronized {
    if (!unlisted.contains(shuffle)) {
      val file = NeighbourList.file(localDir, shuffle)
      try Files.write(file, s"$container\n".getBytes(UTF_8), CREATE, APPEND): Unit
      catch {
        // The task was killed; the file system isn't at fault.
        case interrupt: ClosedByInterruptException => throw interrupt
        case failure: IOException =>
          unlisted.add(shuffle)
          // No reader may find an incomplete line.
          Try(Files.deleteIfExists(file))
          if (isSaid.compareAndSet(false, true))
            logWarning(
              s"Cannot write $file: $failure. Other executors on this node request map outputs from this one " +
                "instead of reading its containers"
            )
      }
    }
  }

  def remove(shuffle: Int): Unit = {
    unlisted.remove(shuffle)
    try Files.deleteIfExists(NeighbourList.file(localDir, shuffle)): Unit
    catch {
      case failure: IOException =>
        logWarning(s"Cannot delete the list of containers of shuffle $shuffle: $failure")
    }
  }
}

private[hpc] object NeighbourList {
  private def file(localDir: File, shuffle: Int): Path =
    localDir.toPath.resolve(s"shuffle_$shuffle.containers")

  /** The listed containers of an executor with these local directories. There are none if the executor couldn't write
    * its list, or if it made no output itself but received those of a decommissioned one.
    */
  def read(localDirs: Array[String], shuffle: Int): Seq[Path] =
    try Files.readAllLines(file(new File(localDirs.head), shuffle), UTF_8).asScala.map(Paths.get(_))
    catch { case _: IOException => Nil }
}
