package org.apache.spark.shuffle.hpc.serve

import java.io.IOException

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.network.buffer.ManagedBuffer
import org.apache.spark.shuffle.{IndexShuffleBlockResolver, ShuffleBlockInfo}
import org.apache.spark.shuffle.hpc.place.{OutputPlace, OwnContainers}
import org.apache.spark.shuffle.hpc.read.{ContainerFiles, DirectRoute, HeldBytes}
import org.apache.spark.storage.BlockId

/** Serves this executor's map outputs in the shared directory to other executors.
  *
  * The containers outlive the executor: decommissioning copies none of them, and the executor deletes none, because the
  * driver removes a shuffle's directory as a whole.
  */
private[hpc] final class GlobalBlockResolver(
    conf: SparkConf,
    files: ContainerFiles,
    own: OwnContainers,
    held: HeldBytes
) extends IndexShuffleBlockResolver(conf) {

  private val served = new ServedBlocks(files, held)

  /** The place of an output of this executor. */
  def placeOf(shuffle: Int, mapTaskId: Long): OutputPlace = {
    val at = SparkEnv.get.blockManager.blockManagerId
    OutputPlace(at.executorId, shuffle, made(shuffle, mapTaskId).name, at.host, at.port)
  }

  private def made(shuffle: Int, mapTaskId: Long): OwnContainers.Made =
    own.containerOf(shuffle, mapTaskId).getOrElse {
      throw new IOException(s"This executor has no output $mapTaskId of shuffle $shuffle")
    }

  override def getBlockData(blockId: BlockId, dirs: Option[Array[String]]): ManagedBuffer = {
    val (shuffle, block) = DirectRoute.block(blockId)
    served.of(made(shuffle, block.mapTaskId).file, block)
  }

  override def getStoredShuffles(): Seq[ShuffleBlockInfo] = Nil

  override def removeDataByMap(shuffle: Int, mapTaskId: Long): Unit = ()
}
