package org.apache.spark.storage.hpc.cache

import java.io.File

import org.apache.spark.SparkConf
import org.apache.spark.storage.DiskBlockManager
import org.apache.spark.storage.hpc.scratch.{HpcDiskBlockManager, ThisNode}
import org.sparkhpc.tier.{FileSystemKind, FileSystemSize, MemoryShare, MountTable, UncountedBytes}

/** Where spilled blocks go: Spark's local directories, by kind of file system. */
private[storage] final class SpillPlace(directories: Seq[(File, FileSystemKind)]) {

  /** Whether a write takes as long as this node takes.
    *
    * Otherwise nothing is written there under the memory manager's monitor, where it would hold up
    * heartbeats and other jobs.
    */
  val isOfThisNode: Boolean = directories.forall(_._2 != FileSystemKind.Shared)

  /** Whether it can happen that a request there isn't answered. */
  val mayHang: Boolean = directories.exists(_._2 != FileSystemKind.Memory)

  /** Whether what is written there takes the node's memory. */
  val isInMemory: Boolean = directories.exists(_._2 == FileSystemKind.Memory)

  def describe: String =
    directories.map { case (dir, kind) => s"$dir (${kind.name})" }.mkString(", ")
}

private[storage] object SpillPlace {

  /** What spilled blocks may fill of the node's memory, where that is what they go to. Scratch tiers have
    * limits of their own.
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

  /** @param kind of them all, by its name; `auto` for what the mount table says of each */
  def of(directories: Seq[File], kind: String): SpillPlace = {
    lazy val mounts = MountTable.read()
    new SpillPlace(directories.map { directory =>
      val found = FileSystemKind.named(kind)
        .orElse(mounts.typeOf(directory).map(FileSystemKind.of))
      directory -> found.getOrElse(FileSystemKind.Local)
    })
  }
}
