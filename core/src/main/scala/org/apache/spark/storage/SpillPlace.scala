package org.apache.spark.storage

import java.io.File

import org.apache.spark.hpc.tier.{FileSystemKind, MountTable}

/** Where spilled blocks go: Spark's local directories, by kind of file system.
  *
  * Spills happen under the memory manager's monitor, where a slow file system would hold up
  * heartbeats and other jobs. So they don't go to a shared one.
  */
private[storage] final class SpillPlace(directories: Seq[(File, FileSystemKind)]) {

  val isFit: Boolean = directories.forall(_._2 != FileSystemKind.Shared)

  def describe: String =
    directories.map { case (dir, kind) => s"$dir (${kind.name})" }.mkString(", ")
}

private[storage] object SpillPlace {
  def of(directories: Seq[File]): SpillPlace = {
    val mounts = MountTable.read()
    new SpillPlace(directories.map { directory =>
      directory -> mounts.typeOf(directory).fold[FileSystemKind](FileSystemKind.Local)(
        FileSystemKind.of
      )
    })
  }
}
