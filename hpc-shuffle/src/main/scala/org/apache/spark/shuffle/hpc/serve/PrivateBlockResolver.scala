package org.apache.spark.shuffle.hpc.serve

import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.NoSuchFileException
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.{SparkConf, SparkEnv, TaskContext}
import org.apache.spark.network.buffer.{ManagedBuffer, NioManagedBuffer}
import org.apache.spark.shuffle.{IndexShuffleBlockResolver, ShuffleBlockInfo}
import org.apache.spark.shuffle.hpc.place.{ContainerFile, KnownOutputs, OwnContainers}
import org.apache.spark.shuffle.hpc.read.{
  ContainerBlockData,
  ContainerFiles,
  DirectRoute,
  FetchedStream,
  HeldBytes,
  VerifiedStream
}
import org.apache.spark.storage.{BlockId, ShuffleDataBlockId, ShuffleIndexBlockId}
import org.apache.spark.util.collection.OpenHashSet
import org.sparkhpc.container.Block

/** Serves map outputs in containers of executors' own scratch.
  *
  * This executor's outputs go to its own tasks and to other executors. Its tasks also get the outputs of other
  * executors on this node, whose directories it reads. Outputs that a decommissioned executor sent here are in files,
  * as Spark writes them.
  *
  * @param left shuffle and map task of the outputs to send away when this executor is decommissioned
  */
private[hpc] final class PrivateBlockResolver(
    conf: SparkConf,
    files: ContainerFiles,
    own: OwnContainers,
    held: HeldBytes,
    received: ConcurrentHashMap[Int, OpenHashSet[Long]],
    left: () => Seq[(Int, Long)]
) extends IndexShuffleBlockResolver(conf, taskIdMapsForShuffle = received) {
  import PrivateBlockResolver._

  private val isReadAsItIs = FetchedStream.isNeeded(conf)

  private val neighbours = new Neighbours(files)
  private val served = new ServedBlocks(files, held)

  override def getBlockData(blockId: BlockId, dirs: Option[Array[String]]): ManagedBuffer = {
    val (shuffle, block) = DirectRoute.block(blockId)
    val container =
      dirs.fold(own.containerOf(shuffle, block.mapTaskId).map(_.file))(
        neighbours.container(_, shuffle, block.mapTaskId)
      )
    container.map(data(_, shuffle, block)).getOrElse {
      try super.getBlockData(blockId, dirs)
      catch {
        case _: NoSuchFileException if dirs.nonEmpty => asked(blockId, shuffle, block.mapTaskId)
      }
    }
  }

  /** Requests the block from the executor that has it. */
  private def asked(blockId: BlockId, shuffle: Int, mapTaskId: Long): ManagedBuffer = {
    val (_, owner) = new KnownOutputs(shuffle).find(mapTaskId).getOrElse(
      throw new IOException(s"no known executor has map output $mapTaskId of shuffle $shuffle")
    )
    SparkEnv.get.blockManager.blockTransferService
      .fetchBlockSync(owner.host, owner.port, owner.executorId, blockId.name, null)
  }

  private def data(container: ContainerFile, shuffle: Int, block: Block): ManagedBuffer =
    if (TaskContext.get() == null) served.of(container, block)
    else {
      val reader = files.reader(container, block)
      val length = reader.length(block)
      def verified() = new VerifiedStream(length, () => reader.stream(block))
      new ContainerBlockData(
        length,
        () => if (isReadAsItIs) new FetchedStream(verified(), shuffle, block) else verified()
      )
    }

  override def getStoredShuffles(): Seq[ShuffleBlockInfo] =
    super.getStoredShuffles() ++ left().map { case (shuffle, mapTaskId) =>
      ShuffleBlockInfo(shuffle, mapTaskId)
    }

  /** Does nothing: a shuffle's containers are removed as a whole, and looking for Spark's files costs requests. */
  override def removeDataByMap(shuffle: Int, mapTaskId: Long): Unit = ()

  /** Deletes an output that another executor sent here. */
  def removeReceived(shuffle: Int, mapTaskId: Long): Unit =
    super.removeDataByMap(shuffle, mapTaskId)

  /** An output as the data and index files of stock Spark, whose blocks have the same bytes. */
  override def getMigrationBlocks(output: ShuffleBlockInfo): List[(BlockId, ManagedBuffer)] =
    own.containerOf(output.shuffleId, output.mapId).fold(super.getMigrationBlocks(output)) { made =>
      try {
        val whole = files.reader(made.file, Block(output.mapId, 0, 0))
        val lengths = whole.lengths(output.mapId)
        val offsets = ByteBuffer.allocate((lengths.length + 1) * java.lang.Long.BYTES)
        lengths.scanLeft(0L)(_ + _).foreach(offsets.putLong)
        offsets.flip()
        val block = Block(output.mapId, 0, lengths.length)
        val content = new ContainerBlockData(lengths.sum, () => whole.stream(block))
        val data = ShuffleDataBlockId(output.shuffleId, output.mapId, NoReduce)
        val index = ShuffleIndexBlockId(output.shuffleId, output.mapId, NoReduce)
        val both = List(data -> content, index -> new NioManagedBuffer(offsets))
        if (lengths.sum > 0) both else both.tail
      } catch {
        case removed: IOException =>
          logWarning(
            s"Cannot send map output ${output.mapId} of shuffle ${output.shuffleId} to another executor: $removed"
          )
          Nil
      }
    }
}

private object PrivateBlockResolver {
  private val NoReduce = IndexShuffleBlockResolver.NOOP_REDUCE_ID
}
