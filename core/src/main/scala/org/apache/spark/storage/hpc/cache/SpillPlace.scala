package org.apache.spark.storage.hpc.cache

import java.io.File

import org.apache.spark.SparkConf
import org.apache.spark.storage.DiskBlockManager
import org.apache.spark.storage.hpc.scratch.{HpcDiskBlockManager, ThisNode}
import org.sparkhpc.tier.{FileSystemKind, FileSystemSize, MemoryShare, MountTable, UncountedBytes}

/** The directories that blocks are spilled to, Spark's local directories, and the kinds of their file systems. */
private[storage] final class SpillPlace(directories: Seq[(File, FileSystemKind)]) {

  /** Whether the time of a write depends on this node only.
    *
    * Otherwise nothing is written there under the memory manager's monitor, since that would delay heartbeats and other
    * jobs.
    */
  val isOfThisNode: Boolean = directories.forall(_._2 != FileSystemKind.Shared)

  /** Whether a request to one of the directories may hang. */
  val mayHang: Boolean = directories.exists(_._2 != FileSystemKind.Memory)

  /** Whether files in one of the directories take the node's memory. */
  val isInMemory: Boolean = directories.exists(_._2 == FileSystemKind.Memory)

  def describe: String =
    directories.map { case (dir, kind) => s"$dir (${kind.name})" }.mkString(", ")
}

private[storage] object SpillPlace {

  /** The share of the node's memory that spilled blocks may fill, if they are written to memory. Scratch tiers have
    * their own limits.
    */
  def share(place: SpillPlace, disk: DiskBlockManager, conf: SparkConf): Option[MemoryShare] =
    if (place.isInMemory && HpcDiskBlockManager.of(disk).forall(_.tiers.isEmpty))
      Some(
        new MemoryShare(
          FileSystemSize.cap(new ThisNode(conf).memory, disk.localDirs),
          UncountedBytes(disk.localDirs, _)
        )
      )
    else None

  /** @param kind the name of the kind of all directories; `auto` to look each up in the mount table */
  def of(directories: Seq[File], kind: String): SpillPlace = {
    lazy val mounts = MountTable.read()
    new SpillPlace(directories.map { directory =>
      val found = FileSystemKind.named(kind)
        .orElse(mounts.typeOf(directory).map(FileSystemKind.of))
      directory -> found.getOrElse(FileSystemKind.Local)
    })
  }
}
