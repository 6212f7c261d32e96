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

/** Says in this executor's local directory where its containers are: of it other executors on the node
  * know no more than its local directories, and read in them without asking it. Where that can't be
  * written they ask it, for all of that shuffle.
  */
private[hpc] final class NeighbourList(localDir: File) extends Logging {
  private val unlisted = ConcurrentHashMap.newKeySet[Int]()
  private val isSaid = new AtomicBoolean

  /** To be called before anything in the container is reported. */
  def add(shuffle: Int, container: Path): Unit = synchronized {
    if (!unlisted.contains(shuffle)) {
      val file = NeighbourList.file(localDir, shuffle)
      try Files.write(file, s"$container\n".getBytes(UTF_8), CREATE, APPEND): Unit
      catch {
        // The task is killed, and the file system as good as before.
        case interrupt: ClosedByInterruptException => throw interrupt
        case failure: IOException =>
          unlisted.add(shuffle)
          // Nobody may find a part of a line in it.
          Try(Files.deleteIfExists(file))
          if (isSaid.compareAndSet(false, true))
            logWarning(s"Executors on this node ask for map outputs, and don't read them: $failure")
      }
    }
  }

  def remove(shuffle: Int): Unit = {
    unlisted.remove(shuffle)
    try Files.deleteIfExists(NeighbourList.file(localDir, shuffle)): Unit
    catch {
      case failure: IOException =>
        logWarning(s"The list of shuffle $shuffle's containers isn't deleted: $failure")
    }
  }
}

private[hpc] object NeighbourList {
  private def file(localDir: File, shuffle: Int): Path =
    localDir.toPath.resolve(s"shuffle_$shuffle.containers")

  /** The containers of an executor with these local directories. It has none if it made no output itself,
    * but was sent those of a decommissioned one; and none to be read if it couldn't write that.
    */
  def read(localDirs: Array[String], shuffle: Int): Seq[Path] =
    try Files.readAllLines(file(new File(localDirs.head), shuffle), UTF_8).asScala.map(Paths.get(_))
    catch { case _: IOException => Nil }
}
