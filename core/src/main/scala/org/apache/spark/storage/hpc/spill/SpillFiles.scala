package org.apache.spark.storage.hpc.spill

import java.io.{File, FileInputStream}
import java.nio.channels.FileChannel
import java.nio.file.{OpenOption, Path}

import org.apache.spark.SparkEnv
import org.apache.spark.storage.BlockManager
import org.apache.spark.storage.hpc.disk.HpcDiskStore
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.sparkhpc.file.{AheadInputStream, PooledInputStream}
import org.sparkhpc.tier.{ScratchFile, Tiers}

/** The files that ExternalSorter and ExternalAppendOnlyMap spill to, read through the file pool of
  * this process if it has one.
  */
private[spark] object SpillFiles {

  /** Replaces `file.delete()`, and closes the file in the pool: while it is open, its space stays in use. */
  def delete(file: File): Boolean =
    if (recycled(file, 0).nonEmpty) {
      file.delete()
    } else {
      val path = file.getPath
      val isGone = file.delete()
      store.flatMap(_.pool).foreach(_.forget(path))
      isGone
    }

  private[storage] def open(file: File): FileInputStream =
    store.flatMap { store =>
      recycled(file, store.readAhead)
        .orElse(store.pool.map(new PooledInputStream(_, file.getPath, store.readAhead)))
    }.getOrElse(new FileInputStream(file))

  /** Replaces `file.toPath`, for [[channel]]. */
  def place(file: File): Path = file match {
    case scratch: ScratchFile => scratch.at.toPath
    case _ => file.toPath
  }

  /** Replaces `FileChannel.open`. */
  def channel(path: Path, options: Array[OpenOption]): FileChannel =
    tiers.flatMap(_.recycledAt(path.toFile)).map(new RecycledInputStream(
      _,
      AheadOfBlocks
    ).getChannel)
      .getOrElse(FileChannel.open(path, options: _*))

  /** Reads a spill that shares its file with others; None for a file that is opened by its path. */
  private[storage] def recycled(file: File, ahead: Int): Option[AheadInputStream] = file match {
    case scratch: ScratchFile => scratch.recycled.map(new RecycledInputStream(_, ahead))
    case _ => None
  }

  // Spark's own buffer comes on top.
  private[storage] val AheadOfBlocks = 1 << 18

  /** None in tests that run without a complete environment. */
  private def manager: Option[BlockManager] =
    Option(SparkEnv.get).flatMap(env => Option(env.blockManager))

  private def store: Option[HpcDiskStore] =
    manager.flatMap(its => Option(its.diskStore)).collect { case store: HpcDiskStore => store }

  private def tiers: Option[Tiers] =
    manager.flatMap(its => Option(its.diskBlockManager)).flatMap(HpcDiskBlockManager.of(_))
      .flatMap(_.tiers)
}
