package org.apache.spark.shuffle.hpc

import java.io.IOException
import java.nio.ByteBuffer

import scala.util.Try

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.hpc.container.Block
import org.apache.spark.network.buffer.{ManagedBuffer, NioManagedBuffer}
import org.apache.spark.shuffle.{IndexShuffleBlockResolver, ShuffleBlockInfo}
import org.apache.spark.storage.BlockId

/** What this executor answers others who ask it for its map outputs in containers.
  *
  * No node takes them along: decommissioning copies none, and an executor deletes none, since the
  * driver removes a shuffle's directory as a whole.
  */
private[hpc] final class GlobalBlockResolver(
    conf: SparkConf,
    files: ContainerFiles,
    own: OwnContainers
) extends IndexShuffleBlockResolver(conf) {

  /** Where an output of this executor is. */
  def placeOf(shuffle: Int, mapTaskId: Long): OutputPlace = {
    val at = SparkEnv.get.blockManager.blockManagerId
    OutputPlace(at.executorId, shuffle, made(shuffle, mapTaskId).name, at.host, at.port)
  }

  private def made(shuffle: Int, mapTaskId: Long): OwnContainers.Made =
    own.containerOf(shuffle, mapTaskId).getOrElse {
      throw new IOException(s"This executor has no output $mapTaskId of shuffle $shuffle")
    }

  /** Whole and checked: who asked would wait for bytes that never come. */
  override def getBlockData(blockId: BlockId, dirs: Option[Array[String]]): ManagedBuffer = {
    val (shuffle, block) = DirectRoute.block(blockId)
    var found: Try[ByteBuffer] = null
    files.read(made(shuffle, block.mapTaskId).file, Seq(block)) {
      (_: Block, content: Try[ByteBuffer]) => found = content
    }
    new NioManagedBuffer(found.get)
  }

  override def getStoredShuffles(): Seq[ShuffleBlockInfo] = Nil

  override def removeDataByMap(shuffle: Int, mapTaskId: Long): Unit = ()
}
