package org.apache.spark.storage.hpc.disk

import java.io.{File, FileOutputStream}
import java.nio.channels.WritableByteChannel

import com.google.common.io.Closeables
import org.apache.spark.{SecurityManager, SparkConf}
import org.apache.spark.internal.config
import org.apache.spark.network.shuffle.ExecutorDiskUtils
import org.apache.spark.security.CryptoStreamUtils
import org.apache.spark.storage.{BlockId, DiskBlockManager}
import org.apache.spark.storage.hpc.scratch.HpcDiskBlockManager
import org.sparkhpc.tier.{ScratchFile, ScratchUse, Tier, TierStream, Tiers}

/** The file that a block is to be written to. */
private[storage] trait BlockFile {

  /** Creates the file. */
  def open(): WritableByteChannel

  /** Abandons the file; `isMade`: it may exist, and is deleted. */
  def discard(isMade: Boolean): Unit
}

/** The files of blocks, in scratch tiers or where Spark puts them. They are encrypted if Spark's settings ask for it.
  *
  * @param tiers None if Spark's own directories are used
  */
private[storage] final class BlockFiles(
    conf: SparkConf,
    disk: DiskBlockManager,
    security: SecurityManager,
    tiers: Option[Tiers]
) {
  private val isServed =
    conf.get(config.SHUFFLE_SERVICE_ENABLED) && conf.get(config.SHUFFLE_SERVICE_FETCH_RDD_ENABLED)

  private val isHashed = HpcDiskBlockManager.of(disk).exists(_.tiers.isEmpty)

  /** The file of a block that was written. Spark's own method waits while another thread creates a directory: if the
    * disk hangs then, readers would hang as well.
    */
  def of(blockId: BlockId): File =
    if (isHashed) {
      new File(
        ExecutorDiskUtils.getFilePath(disk.localDirsString, disk.subDirsPerLocalDir, blockId.name)
      )
    } else {
      disk.getFile(blockId)
    }

  /** @param discarded called when the file of a failed write has been discarded */
  def next(blockId: BlockId, mayUse: Tier => Boolean)(discarded: () => Unit): BlockFile =
    tiers.fold[BlockFile](new AtHome(blockId, discarded)) { tiers =>
      val use = if (blockId.isRDD) ScratchUse.ForAll else ScratchUse.Own
      new InTier(tiers.newFile(blockId.name, use), tiers, mayUse, discarded)
    }

  private def encrypted(channel: WritableByteChannel): WritableByteChannel =
    security.getIOEncryptionKey()
      .fold(channel)(CryptoStreamUtils.createWritableChannel(channel, conf, _))

  private final class InTier(
      file: ScratchFile,
      tiers: Tiers,
      mayUse: Tier => Boolean,
      discarded: () => Unit
  ) extends BlockFile {

    override def open(): WritableByteChannel = {
      val stream = new TierStream(file, tiers, mayUse)
      unlessFails(stream, file) {
        stream.create()
        encrypted(stream)
      }
    }

    // Not through its name: a home tier on a dead disk would not return the path.
    override def discard(isMade: Boolean): Unit =
      try if (isMade) file.delete()
      finally discarded()
  }

  private final class AtHome(blockId: BlockId, discarded: () => Unit) extends BlockFile {

    override def open(): WritableByteChannel = {
      val file = disk.getFile(blockId)
      if (isServed) disk.createWorldReadableFile(file)
      val channel = new FileOutputStream(file).getChannel
      unlessFails(channel, file)(encrypted(channel))
    }

    override def discard(isMade: Boolean): Unit =
      try if (isMade) of(blockId).delete()
      finally discarded()
  }

  private def unlessFails[A](channel: WritableByteChannel, file: File)(act: => A): A = {
    var isDone = false
    try {
      val result = act
      isDone = true
      result
    } finally if (!isDone) {
        Closeables.close(channel, true)
        file.delete(): Unit
      }
  }
}
