package org.apache.spark.storage.hpc.cache

import scala.collection.mutable

import org.apache.spark.api.plugin.PluginContext
import org.apache.spark.storage.RDDBlockId
import org.apache.spark.storage.hpc.channel.DriverChannel
import org.apache.spark.storage.hpc.disk.BlockChecksums

/** A block on disk in a global tier, where every executor can read it, and the executor that wrote it. */
private[spark] final case class SharedBlock(
    blockId: RDDBlockId,
    executor: String,
    path: String,
    content: BlockChecksums.Content
)

/** The cached blocks of an application that are in global tiers. */
private[spark] trait SharedBlocks {

  /** Adds a block that was completely written. */
  def add(block: SharedBlock): Unit

  /** Removes this executor's copy of the block from the list. */
  def remove(blockId: RDDBlockId, executor: String): Unit

  /** The copies of the block. */
  def of(blockId: RDDBlockId): Seq[SharedBlock]

  /** Removes the blocks of an unpersisted RDD from the list, and returns them. */
  def forget(rdd: Int): Seq[SharedBlock]
}

/** The driver's list of shared blocks. */
private[storage] final class ListedSharedBlocks extends SharedBlocks {
  private val byRdd = new mutable.HashMap[Int, Map[RDDBlockId, Seq[SharedBlock]]]

  override def add(block: SharedBlock): Unit = change(block.blockId, block.executor)(block +: _)

  override def remove(blockId: RDDBlockId, executor: String): Unit =
    change(blockId, executor)(identity)

  private def change(blockId: RDDBlockId, executor: String)(
      put: Seq[SharedBlock] => Seq[SharedBlock]
  ): Unit = synchronized {
    val blocks = byRdd.getOrElse(blockId.rddId, Map.empty)
    val left = put(blocks.getOrElse(blockId, Nil).filter(_.executor != executor))
    val changed = if (left.isEmpty) blocks - blockId else blocks.updated(blockId, left)
    if (changed.isEmpty) byRdd.remove(blockId.rddId) else byRdd.put(blockId.rddId, changed)
  }

  override def of(blockId: RDDBlockId): Seq[SharedBlock] = synchronized {
    byRdd.get(blockId.rddId).flatMap(_.get(blockId)).getOrElse(Nil)
  }

  override def forget(rdd: Int): Seq[SharedBlock] = synchronized {
    byRdd.remove(rdd).toSeq.flatMap(_.values.flatten)
  }
}

/** An executor's access to the driver's list. An update arrives before a later question. */
private[storage] final class ToldSharedBlocks(driver: PluginContext) extends SharedBlocks {
  import ToldSharedBlocks._

  override def add(block: SharedBlock): Unit = driver.send(Added(block))

  override def remove(blockId: RDDBlockId, executor: String): Unit =
    driver.send(Removed(blockId, executor))

  override def of(blockId: RDDBlockId): Seq[SharedBlock] =
    driver.ask(Question(blockId)).asInstanceOf[Seq[SharedBlock]]

  /** Does nothing: Spark tells the driver. */
  override def forget(rdd: Int): Seq[SharedBlock] = Nil
}

private[storage] object ToldSharedBlocks {
  private final case class Added(block: SharedBlock)
  private final case class Removed(blockId: RDDBlockId, executor: String)
  private final case class Question(blockId: RDDBlockId)

  /** The driver's part: `blocks` is its own list. */
  def register(channel: DriverChannel, blocks: SharedBlocks): Unit = {
    channel.onTell[Added](told => blocks.add(told.block))
    channel.onTell[Removed](told => blocks.remove(told.blockId, told.executor))
    channel.onAsk[Question](asked => blocks.of(asked.blockId))
  }
}
