package org.apache.spark.shuffle.hpc

import java.io.File
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, NoSuchFileException, Path, Paths}
import java.nio.file.StandardOpenOption.{APPEND, CREATE}

import scala.collection.JavaConverters._

/** Says in this executor's local directory where its containers are: of it other executors on the node
  * know no more than its local directories, and read in them without asking it.
  */
private[hpc] final class NeighbourList(localDir: File) {

  /** To be called before anything in the container is reported. */
  def add(shuffle: Int, container: Path): Unit = synchronized {
    val line = s"$container\n".getBytes(UTF_8)
    Files.write(NeighbourList.file(localDir, shuffle), line, CREATE, APPEND): Unit
  }

  def remove(shuffle: Int): Unit =
    Files.deleteIfExists(NeighbourList.file(localDir, shuffle)): Unit
}

private[hpc] object NeighbourList {
  private def file(localDir: File, shuffle: Int): Path =
    localDir.toPath.resolve(s"shuffle_$shuffle.containers")

  /** The containers of an executor with these local directories. It has none if it made no output itself,
    * but was sent those of a decommissioned one.
    */
  def read(localDirs: Array[String], shuffle: Int): Seq[Path] =
    try Files.readAllLines(file(new File(localDirs.head), shuffle), UTF_8).asScala.map(Paths.get(_))
    catch { case _: NoSuchFileException => Nil }
}
