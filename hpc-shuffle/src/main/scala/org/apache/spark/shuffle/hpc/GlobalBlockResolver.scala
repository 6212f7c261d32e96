package org.apache.spark.shuffle.hpc

import java.io.{EOFException, File}

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.network.buffer.{FileSegmentManagedBuffer, ManagedBuffer}
import org.apache.spark.network.shuffle.checksum.ShuffleChecksumHelper
import org.apache.spark.shuffle.{IndexShuffleBlockResolver, ShuffleBlockInfo}
import org.apache.spark.shuffle.IndexShuffleBlockResolver.NOOP_REDUCE_ID
import org.apache.spark.storage.{BlockId, ShuffleChecksumBlockId}

/** Spark's files of map outputs, of this executor, on the shared file system.
  *
  * No node takes them along: decommissioning copies none, and an executor deletes none, since the
  * driver removes a shuffle's directory as a whole.
  */
private[hpc] final class GlobalBlockResolver(conf: SparkConf, directory: => OutputDirectory)
    extends IndexShuffleBlockResolver(conf) {

  private lazy val files = new OutputFiles(directory)

  private def executor: String = SparkEnv.get.executorId

  override def getDataFile(shuffle: Int, mapId: Long, dirs: Option[Array[String]]): File =
    files.data(shuffle, executor, mapId)

  override def getIndexFile(shuffle: Int, mapId: Long, dirs: Option[Array[String]]): File =
    files.index(shuffle, executor, mapId)

  override def getChecksumFile(
      shuffle: Int,
      mapId: Long,
      algorithm: String,
      dirs: Option[Array[String]]
  ): File = {
    val block = ShuffleChecksumBlockId(shuffle, mapId, NOOP_REDUCE_ID).name
    val name = ShuffleChecksumHelper.getChecksumFileName(block, algorithm)
    directory.file(shuffle, executor, name)
  }

  /** To be called before an output of a shuffle is written. */
  def prepare(shuffle: Int): Unit = directory.make(shuffle, executor)

  /** What isn't all there is refused: who asked would wait for bytes that never come. */
  override def getBlockData(blockId: BlockId, dirs: Option[Array[String]]): ManagedBuffer =
    super.getBlockData(blockId, dirs) match {
      case part: FileSegmentManagedBuffer
          if part.getFile.length < part.getOffset + part.getLength =>
        throw new EOFException(s"${part.getFile} ends before $blockId does")
      case data => data
    }

  override def getStoredShuffles(): Seq[ShuffleBlockInfo] = Nil

  override def removeDataByMap(shuffle: Int, mapId: Long): Unit = ()
}
