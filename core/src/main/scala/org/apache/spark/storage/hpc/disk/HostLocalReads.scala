package org.apache.spark.storage.hpc.disk

import java.io.File

import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.network.shuffle.ExecutorDiskUtils
import org.apache.spark.storage.{BlockId, DiskBlockManager}
import org.apache.spark.storage.hpc.scratch.{HostLocalTiers, HpcDiskBlockManager}

/** Reads blocks on disk of other executors on this node: first from their tiers, then from their home directories,
  * where Spark looks.
  *
  * A file whose length differs from what the driver was told is still being written. Spark would take it for the block.
  */
private[storage] final class HostLocalReads(store: HpcDiskStore, disk: DiskBlockManager) {
  private val own = HpcDiskBlockManager.of(disk).flatMap(_.tiers)
  private val tiers = new HostLocalTiers(own.toSeq.flatMap(_.all))

  /** @param localDirs the other executor's local directories
    * @param blockSize the size that the driver was told
    * @param sparks reads the block by Spark's own code
    */
  def read(blockId: BlockId, localDirs: Array[String], blockSize: Long)(
      sparks: => Option[ManagedBuffer]
  ): Option[ManagedBuffer] =
    inTiers(blockId, localDirs, blockSize)
      .orElse(sparks.filter(_ => isWhole(blockId, localDirs, blockSize)))

  private def inTiers(blockId: BlockId, localDirs: Array[String], blockSize: Long) =
    if (blockSize > 0 && own.nonEmpty)
      tiers.find(localDirs.head, blockId, store.fileLength(blockSize)).map(store.bufferOf(
        _,
        blockSize
      ))
    else None

  private def isWhole(blockId: BlockId, localDirs: Array[String], blockSize: Long): Boolean = {
    val path = ExecutorDiskUtils.getFilePath(localDirs, disk.subDirsPerLocalDir, blockId.name)
    new File(path).length == store.fileLength(blockSize)
  }
}
