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

/** Map outputs in containers of this executor's scratch, for its own tasks, for other executors, and for
  * those on this node that read its directories.
  *
  * What a decommissioned executor sent here is in files, as Spark writes them.
  *
  * @param left shuffle and map task of what is to be sent when this executor is decommissioned
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

  /** As the executor sends it that has it. */
  private def asked(blockId: BlockId, shuffle: Int, mapTaskId: Long): ManagedBuffer = {
    val (_, owner) = new KnownOutputs(shuffle).find(mapTaskId).getOrElse(
      throw new IOException(s"nobody is known to have map output $mapTaskId of shuffle $shuffle")
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

  /** Nothing: a shuffle's containers go as a whole, and looking for files of Spark's costs requests. */
  override def removeDataByMap(shuffle: Int, mapTaskId: Long): Unit = ()

  /** Deletes what another executor sent here. */
  def removeReceived(shuffle: Int, mapTaskId: Long): Unit =
    super.removeDataByMap(shuffle, mapTaskId)

  /** As files of Spark's: what is between them is the same. */
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
            s"Map output ${output.mapId} of shuffle ${output.shuffleId} isn't sent away: $removed"
          )
          Nil
      }
    }
}

private object PrivateBlockResolver {
  private val NoReduce = IndexShuffleBlockResolver.NOOP_REDUCE_ID
}
